import { addNote } from '../../../actions/incidents/add-note.js'
import { Refusal } from '../../../core/errors.js'
import { sentence } from '../../../core/text/sentence.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { requireUser } from '../people/session.js'
import { incidentInPath, ownOnly } from './load-incident.js'

/** POST: takes the acknowledgement of an incident back. */
export async function unacknowledge(c: WebContext): Promise<Response> {
  const { store, clock } = c.var.deps
  return await change(c, (projectId, id, by) =>
    store.incidents.unacknowledge(projectId, id, { by, now: clock.now() }),
  )
}

/** POST: adds a note to an incident. */
export async function submitNote(c: WebContext): Promise<Response> {
  const note = (await formOf(c)).text('note')
  return await change(c, (projectId, id, by) => addNote(c.var.deps, projectId, { id, by, note }))
}

async function change(
  c: WebContext,
  write: (projectId: number, id: number, by: string) => Promise<void>,
): Promise<Response> {
  const { project, id } = await incidentInPath(c, 'write')
  try {
    await ownOnly(write(project.id, id, requireUser(c).user.email))
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not-found') throw error
    setFlash(c, 'bad', sentence(error.message))
  }
  return seeOther(c, `/projects/${project.uuid}/incidents/${id}/`)
}
