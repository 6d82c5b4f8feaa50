import { acknowledgeIncidents } from '../../../actions/incidents/acknowledge-incidents.js'
import { Refusal } from '../../../core/errors.js'
import { untilOf } from '../../../core/incidents/until-choice.js'
import { plural } from '../../../core/text/plural.js'
import { sentence } from '../../../core/text/sentence.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { requireUser } from '../people/session.js'
import { backToIncidents } from './back.js'
import { ownOnly } from './load-incident.js'

/** The maximum number of incidents in one form. */
const MOST = 2_000

/** POST: acknowledges the chosen incidents, which may belong to several projects. */
export async function acknowledge(c: WebContext): Promise<Response> {
  const { user } = requireUser(c)
  const form = await formOf(c)
  try {
    const chosen = chosenIn(form.all('incident'))
    if (chosen.size === 0) throw new Refusal('invalid', 'choose at least one incident')
    const projects = []
    // Every right is checked before anything is written.
    for (const [uuid, ids] of chosen) projects.push({ project: await projectOf(c, uuid, 'write'), ids })
    const until = untilOf(form.text('until'), c.var.deps.clock.now(), user.timezone)
    const note = form.text('note')
    let count = 0
    for (const { project, ids } of projects) {
      const asked = { ids: [...ids], by: user.email, note, until }
      count += (await ownOnly(acknowledgeIncidents(c.var.deps, project.id, asked))).length
    }
    setFlash(
      c,
      'good',
      count === 0 ? 'These incidents are already closed.' : `Acknowledged ${plural(count, 'incident')}.`,
    )
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not-found' || error.code === 'forbidden') throw error
    setFlash(c, 'bad', sentence(error.message))
  }
  return backToIncidents(c)
}

/** The IDs by project, from values such as `UUID:1,2 UUID:3`. Throws a `Refusal` for any other text. */
function chosenIn(values: readonly string[]): Map<string, Set<number>> {
  const chosen = new Map<string, Set<number>>()
  for (const value of values.flatMap(text => text.split(' '))) {
    const [, uuid, ids] = /^([0-9a-f-]{36}):(\d{1,15}(?:,\d{1,15})*)$/.exec(value) ?? []
    if (!uuid || !ids) throw new Refusal('invalid', 'an incident was not recognised')
    const of = chosen.get(uuid) ?? new Set()
    for (const id of ids.split(',')) of.add(Number(id))
    chosen.set(uuid, of)
  }
  const count = [...chosen.values()].reduce((sum, { size }) => sum + size, 0)
  if (count > MOST) throw new Refusal('invalid', `choose at most ${MOST} incidents`)
  return chosen
}
