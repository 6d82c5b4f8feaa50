import type { Lane } from '../../../core/checks/lanes/lane.js'
import { wentWrong } from '../../../core/checks/lanes/lane.js'
import { Refusal } from '../../../core/errors.js'
import { readLanesQuery } from '../../../views/lanes-query.js'
import { zoneOf } from '../../../views/page-context.js'
import { TimelinePage } from '../../../views/pages/checks/timeline.js'
import { checkOf, listedProjects, projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'
import { readOutput } from '../pings/read-output.js'

/** GET: what the checks of a project, or of all projects of the reader, did within a range of time. */
export async function showTimeline(c: WebContext): Promise<Response> {
  const { store } = c.var.deps
  const uuid = c.req.param('uuid')
  const page = await pageContext(c, uuid === undefined ? null : await projectOf(c, uuid, 'read'))
  const query = readLanesQuery(new URL(c.req.url).searchParams, page.now, zoneOf(page))
  const projects = page.project ? [page.project] : await listedProjects(c, 'read')
  const { found, leftOut, outages } = await store.checks.lanes(
    projects.map(project => project.uuid),
    query.range,
    query,
    page.now,
  )
  const output = found.chosen ? await outputOf(c, found.chosen) : null
  return await c.html(TimelinePage({ page, query, found, leftOut, outages, output }))
}

/** The output of the last run that went wrong; null if there is none, or if its log was deleted meanwhile. */
async function outputOf(c: WebContext, { check, runs }: Lane) {
  const last = runs.findLast(run => wentWrong(run) && run.n !== null)
  if (!last) return null
  const { project } = await checkOf(c, check.uuid, 'read')
  try {
    const { body, bodySize } = await c.var.deps.store.pings.details(project.id, check.uuid, last.n!)
    if (bodySize === 0) return null
    return await readOutput(c, check.uuid, { n: last.n!, at: last.to, tail: body, size: bodySize })
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-found') return null
    throw error
  }
}
