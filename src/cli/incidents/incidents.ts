import type { Command } from 'commander'
import type { Api } from '../../client/index.js'
import type { ListedIncident } from '../../core/incidents/listed-incident.js'
import { jsonOption } from '../options.js'
import { isoSeconds, printJson, printTable } from '../print.js'
import { findProject } from '../projects/find-project.js'
import { withStore } from '../with-store.js'
import { asksServer, type SourceOptions, withSource } from './choose-source.js'

/** The most incidents of a project that are listed. */
const LISTED = 200

export function addIncidents(program: Command): void {
  withSource(program.command('incidents'))
    .option('--all', 'list closed incidents too')
    .addOption(jsonOption())
    .description(`List the open incidents, at most ${LISTED} for each project, newest first`)
    .action(listIncidents)
}

interface Options extends SourceOptions {
  all?: boolean
  json?: boolean
}

async function listIncidents(options: Options): Promise<void> {
  const incidents = (await asksServer(options)) ? await askServer(options) : await askStore(options)
  if (options.json) return printJson(incidents)
  printTable(
    ['ID', 'CHECK', 'DOWN SINCE', 'CAUSE', 'STATE'],
    incidents.map(incident => [
      String(incident.id),
      incident.check.name || incident.check.uuid || incident.check.unique_key || '',
      seconds(incident.opened_at),
      incident.cause,
      stateOf(incident),
    ]),
    options.all ? 'There are no incidents.' : 'There are no open incidents.',
  )
}

async function askStore({ project, all }: Options): Promise<Api.Incident[]> {
  const { incidentShape } = await import('../../core/wire/incident.js')
  const incidents = await withStore(async ({ store, clock }) => {
    const projects = project ? [await findProject(store, project)] : await store.projects.list()
    const page = { after: null, limit: LISTED, now: clock.now() }
    const found: ListedIncident[] = []
    for (const { id } of projects)
      found.push(...(await store.incidents.list(id, all ? {} : { open: true }, page)).incidents)
    return found
  })
  return incidents.map(incident => incidentShape(incident, 'rw'))
}

async function askServer(options: Options): Promise<Api.Incident[]> {
  const { connect } = await import('../server/connection.js')
  const found: Api.Incident[] = []
  for (const { api } of await (await connect(options)).projects()) {
    let listed = 0
    for await (const incident of api.listIncidents({ ...(!options.all && { open: true }), limit: LISTED })) {
      found.push(incident)
      listed += 1
      if (listed === LISTED) break
    }
  }
  return found
}

function stateOf({ closed_at, closed_by, acknowledged }: Api.Incident): string {
  if (closed_at !== null) return `closed ${seconds(closed_at)}: ${closed_by}`
  if (acknowledged === null) return 'open'
  const { by, until } = acknowledged
  return `acknowledged by ${by ?? 'somebody'}${until === null ? '' : ` until ${seconds(until)}`}`
}

function seconds(instant: string): string {
  return isoSeconds(Date.parse(instant))
}
