/** Applies the files of a folder to the projects that they name. Decision 0133. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json } from '../../../core/config/project-config.js'
import { Refusal } from '../../../core/errors.js'
import type { Transports } from '../../../integrations/transports.js'
import type { Clock } from '../../../lib/clock.js'
import type { StoreWith } from '../../../storage/store.js'
import type { Installation } from '../../channels/add-by-program.js'
import { prepareChannel } from '../../channels/prepare-channel.js'
import { applyConfig, type ChannelStep } from './apply-config.js'
import { planConfig } from './plan-config.js'
import { type ConfigFile, readConfigFile, type Variables } from './read-config-file.js'
import { refuseStep } from './refuse-step.js'

export interface FolderDeps extends Installation {
  store: StoreWith<'projects.list' | 'projects.config' | 'projects.applyConfig'>
  clock: Clock
  /** What files may have in place of `${NAME}`. */
  variables: Variables
  transports(signal: AbortSignal): Transports
}

/** What became of a file. */
export interface FileResult {
  /** Its name without the folder. */
  file: string
  /** How many objects of the project were created or changed. */
  changed: number
  /** What the file owns and no longer has, such as `checks.db`. It stays. */
  left: readonly string[]
  /** Why nothing was applied; empty if the project is as the file says. */
  problems: readonly string[]
}

/** How often a file is planned again because the project has changed in between. */
const ATTEMPTS = 3

/** The longest time for preparing a channel at its service. */
const SERVICE_MS = 30_000

/**
 * Applies each file, all or nothing, in the order of their names. A file that names what another one makes is tried again after
 * that one. Rejects if the folder cannot be read.
 */
export async function applyFolder(deps: FolderDeps, folder: string): Promise<FileResult[]> {
  const names = (await readdir(folder)).filter(name => /^[^.].*\.(ya?ml|json)$/.test(name)).sort()
  const results = new Map<string, FileResult>()
  let waiting = names
  let progress = true
  while (waiting.length > 0 && progress) {
    for (const name of waiting) results.set(name, await applyFile(deps, join(folder, name), name))
    progress = waiting.some(name => results.get(name)!.changed > 0)
    waiting = waiting.filter(name => results.get(name)!.problems.length > 0)
  }
  return names.map(name => results.get(name)!)
}

async function applyFile(deps: FolderDeps, path: string, name: string): Promise<FileResult> {
  const nothing = { file: name, changed: 0, left: [] }
  const read = await readConfigFile(path, deps.variables).catch((error: unknown) => String(error))
  if (typeof read === 'string') return { ...nothing, problems: [read] }
  if (read.problems.length > 0) return { ...nothing, problems: read.problems }
  try {
    const project = await projectNamed(deps, read.document)
    return { ...nothing, ...(await applyTo(deps, project, read)) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const at = error.field === undefined ? '' : `${error.field.replaceAll('/', '.')}: `
    return { ...nothing, problems: [`${path}: ${at}${error.message}`] }
  }
}

async function applyTo(
  deps: FolderDeps,
  project: { id: number; uuid: string },
  { document, name: owner, describe }: ConfigFile,
): Promise<Omit<FileResult, 'file'>> {
  const { store, clock } = deps
  const prepare = async (step: ChannelStep) => {
    refuseStep(step, deps, project.uuid)
    const { integration, settings } = step
    const transports = deps.transports(AbortSignal.timeout(SERVICE_MS))
    const prepared = await prepareChannel({ operator: deps.operator, transports }, integration, settings)
    // The operator answers for the addresses in the files, so nobody is asked to consent.
    return { settings: prepared, asker: null }
  }
  for (let attempt = 1; ; attempt++) {
    const request = { projectId: project.id, document, owner, prune: false, maxDeletes: null }
    const planned = await planConfig(store, clock, request)
    const { steps, left, problems } = planned.plan
    if (problems.length > 0) return { changed: 0, left: [], problems: problems.map(describe) }
    try {
      await applyConfig(
        store,
        clock,
        { ...planned, projectId: project.id, owner },
        { prepare, ask: async () => {}, by: null, author: owner },
      )
      return {
        changed: steps.length,
        left: left.map(({ section, key }) => `${section}.${key}`),
        problems: [],
      }
    } catch (error) {
      if (!isChangedSince(error) || attempt === ATTEMPTS) throw error
    }
  }
}

function isChangedSince(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'conflict' && error.field === undefined
}

/** The project that a file names. Throws a `Refusal` if none is meant, or several. */
async function projectNamed({ store }: FolderDeps, document: Json): Promise<{ id: number; uuid: string }> {
  const named = (document as { readonly project?: Json } | null)?.project ?? ''
  if (named === '') throw new Refusal('invalid', 'The name of the project is missing.', 'project')
  const all = await store.projects.list()
  const [one, ...others] = all.filter(({ name, uuid }) => name === named || uuid === named)
  if (!one) throw new Refusal('not-found', `There is no project “${named}”.`, 'project')
  if (others.length > 0)
    throw new Refusal('invalid', `Several projects are called “${named}”: write a UUID.`, 'project')
  return one
}
