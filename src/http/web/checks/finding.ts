import {
  expectationOf,
  expectationWith,
  type Finding,
  type FindingFacts,
  findingsOf,
} from '../../../core/checks/findings/index.js'
import { ApplyFindingPage, proposalText } from '../../../views/pages/checks/apply-finding.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { loadCheckForChange } from './load-check-for-change.js'

/** GET: shows what a finding would change, and the effect on the next deadline, before it is applied. */
export async function askFinding(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  const [facts, { check: known, hold }] = await Promise.all([
    store.checks.findingFacts(project.id, { uuid: check.uuid }, now),
    store.checks.withChannels(project.id, { uuid: check.uuid }, now),
  ])
  const finding = findingNamed(c, facts)
  if (!finding) return gone(c, home)
  const view = ApplyFindingPage({
    page: await pageContext(c, project),
    check: known,
    finding,
    before: expectationOf(known, now, hold),
    after: expectationWith(known, finding.patch, now, hold),
    action: `/checks/${check.uuid}/findings/${finding.code}/`,
    back: home,
  })
  return await c.html(view)
}

/** POST: applies the settings that a finding proposes, if they are still the ones that were shown. */
export async function applyFinding(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  const sent = await formOf(c)
  const finding = findingNamed(c, await store.checks.findingFacts(project.id, { uuid: check.uuid }, now))
  if (!finding) return gone(c, home)
  if (sent.text('proposal') !== proposalText(finding)) {
    setFlash(c, 'bad', 'Nothing was changed: the proposal has changed. Check it and apply again.')
    return seeOther(c, `/checks/${check.uuid}/findings/${finding.code}/`)
  }
  await store.checks.update(project.id, check.uuid, { changes: finding.patch, now })
  setFlash(c, 'good', 'Saved.')
  return seeOther(c, home)
}

type Applicable = Finding & Required<Pick<Finding, 'patch'>>

function findingNamed(c: WebContext, facts: FindingFacts): Applicable | null {
  const code = c.req.param('code')
  const found = findingsOf(facts).find(finding => finding.code === code)
  return found?.patch ? { ...found, patch: found.patch } : null
}

function gone(c: WebContext, home: string): Response {
  setFlash(c, 'bad', 'Nothing was changed: this finding no longer applies.')
  return seeOther(c, home)
}
