import { type Exported, exportDocument } from '../../../core/config/export-document.js'
import { plan } from '../../../core/config/plan.js'
import type { Plan } from '../../../core/config/planned.js'
import type { Json, ProjectConfig, WantedConfig } from '../../../core/config/project-config.js'
import { readDocument } from '../../../core/config/read-document.js'
import { withoutOver } from '../../../core/config/without-over.js'
import type { Clock } from '../../../lib/clock.js'
import { inTurns } from '../../../lib/in-turns.js'
import type { StoredConfig } from '../../../storage/projects/config/stored-config.js'
import type { StoreWith } from '../../../storage/store.js'
import { channelFields, projectConfigOf } from './project-config.js'
import { readConfig } from './read-config.js'

/** What a file asks of a project. */
export interface ConfigRequest {
  projectId: number
  /** The content of the file, with its variables replaced. */
  document: Json
  /** The name of the file. */
  owner: string
  prune: boolean
  maxDeletes: number | null
}

export interface Planned {
  plan: Plan
  wanted: WantedConfig
  current: ProjectConfig
  stored: StoredConfig
}

/**
 * What would have to be done so that the project is as the file describes it. A plan with problems has no steps. It is made in turns: to
 * read and to plan 10,000 checks takes half a second.
 */
export async function planConfig(
  store: StoreWith<'projects.config'>,
  clock: Clock,
  { projectId, document, owner, prune, maxDeletes }: ConfigRequest,
): Promise<Planned> {
  const channels = channelFields()
  const { problems, ...read } = await inTurns(readDocument(document, channels))
  const now = clock.now()
  const stored = await readConfig(store, projectId, now)
  const current = projectConfigOf(stored)
  const wanted = withoutOver(read, current, now)
  const planned =
    problems.length > 0
      ? { steps: [], left: [], problems }
      : await inTurns(plan(current, wanted, { owner, prune, maxDeletes, channels }))
  return { plan: planned, wanted, current, stored }
}

/** The file that describes a project, without silences that are over. `name`: of the project. */
export async function exportConfig(
  store: StoreWith<'projects.config'>,
  clock: Clock,
  { projectId, name }: { projectId: number; name: string },
): Promise<Exported> {
  const current = projectConfigOf(await readConfig(store, projectId, clock.now()), true)
  return await inTurns(exportDocument(current, { project: name, channels: channelFields() }))
}
