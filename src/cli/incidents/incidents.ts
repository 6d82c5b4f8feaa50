import { type Command, Option } from 'commander'
import type { ListedIncident } from '../../core/incidents/listed-incident.js'
import { jsonOption } from '../options.js'
import { isoSeconds, printJson, printTable } from '../print.js'
import { findProject } from '../projects/find-project.js'
import { withStore } from '../with-store.js'

/** The most incidents of a project that are listed. */
const LISTED = 200

export function addIncidents(program: Command): void {
  program
    .command('incidents')
    .addOption(new Option('--project <uuid>', 'only list incidents of this project'))
    .option('--all', 'list closed incidents too')
    .addOption(jsonOption())
    .description(`List the open incidents, at most ${LISTED} for each project, newest first`)
    .action(listIncidents)
}

interface Options {
  project?: string
  all?: boolean
  json?: boolean
}

async function listIncidents({ project, all, json }: Options): Promise<void> {
  const { incidentShape } = await import('../../core/wire/incident.js')
  const incidents = await withStore(async ({ store, clock }) => {
    const projects = project ? [await findProject(store, project)] : await store.projects.list()
    const page = { after: null, limit: LISTED, now: clock.now() }
    const found: ListedIncident[] = []
    for (const { id } of projects)
      found.push(...(await store.incidents.list(id, all ? {} : { open: true }, page)).incidents)
    return found
  })
  if (json) return printJson(incidents.map(incident => incidentShape(incident, 'rw')))
  printTable(
    ['ID', 'CHECK', 'DOWN SINCE', 'CAUSE', 'STATE'],
    incidents.map(incident => [
      String(incident.id),
      incident.check.name || incident.check.uuid || '',
      isoSeconds(incident.openedAt),
      incident.cause,
      stateOf(incident),
    ]),
    all ? 'There are no incidents.' : 'There are no open incidents.',
  )
}

function stateOf({ closedAt, closedBy, acknowledged }: ListedIncident): string {
  if (closedAt !== null) return `closed ${isoSeconds(closedAt)}: ${closedBy}`
  if (acknowledged === null) return 'open'
  const { by, until } = acknowledged
  return `acknowledged by ${by}${until === null ? '' : ` until ${isoSeconds(until)}`}`
}
