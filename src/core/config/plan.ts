/** What has to be done so that a project is as a file describes it. */
import { type ConfigField, isSame } from './config-field.js'
import { areEnough, firstProblems } from './first-problems.js'
import { moveObjects } from './move-objects.js'
import { planProblems } from './plan-problems.js'
import type { FieldChange, Plan, PlannedStep, PlanOptions } from './planned.js'
import {
  type ConfigProblem,
  type Json,
  type ProjectConfig,
  SECTIONS,
  type Section,
  type Values,
  type WantedConfig,
} from './project-config.js'
import { fieldsOf } from './sections.js'

/** In turns, each of which is about one object. Neither argument is changed. */
export function* plan(
  current: ProjectConfig,
  wanted: WantedConfig,
  options: PlanOptions,
): Generator<void, Plan> {
  const { owner, channels } = options
  const { config, moved, problems } = yield* moveObjects(current, wanted.moved, options)
  const steps: PlannedStep[] = []
  for (const section of SECTIONS) {
    for (const [key, given] of wanted.objects[section]) {
      yield
      const before = config[section].get(key)
      const movedFrom = moved[section].get(key) ?? null
      const at = [section, key]
      const fields = fieldsOf(section, given, channels)
      if (!before) {
        problems.push(...missingFields(at, fields, given))
        const start = { get: (name: string) => fields.get(name)?.byDefault(key) }
        steps.push({ action: 'create', section, key, movedFrom, fields: changesOf(fields, start, given) })
      } else if (before.owner !== null && before.owner !== owner) {
        problems.push({ at, problem: `It is managed by ${before.owner}.` })
      } else if (section === 'channels' && before.values.get('kind') !== given.get('kind')) {
        problems.push({ at: [...at, 'kind'], problem: 'A channel stays of its kind: use another key.' })
      } else {
        const changes = changesOf(
          fields,
          before.values,
          withMovedSlug(section, movedFrom, key, before.values, given),
        )
        const action = before.owner === null ? 'adopt' : 'change'
        if (action === 'adopt' || movedFrom !== null || changes.length > 0)
          steps.push({ action, section, key, movedFrom, fields: changes })
      }
      if (areEnough(problems)) return { steps: [], left: [], problems: firstProblems(problems, [section]) }
    }
  }
  const gone = goneFrom(config, wanted, owner)
  if (options.prune) {
    const most = options.maxDeletes ?? Math.floor(ownedCount(config, owner) / 5)
    if (gone.length > most) {
      const problem = `${gone.length} would be deleted, at most ${most} may be: say how many with --max-deletes.`
      problems.push({ at: [], problem })
    }
    for (const { section, key } of gone)
      steps.push({ action: 'delete', section, key, movedFrom: null, fields: [] })
  }
  const planned = { steps, left: options.prune ? [] : gone, problems }
  if (problems.length > 0) return planned
  return { ...planned, problems: yield* planProblems(current, wanted, planned, options) }
}

function changesOf(
  fields: ReadonlyMap<string, ConfigField>,
  before: Pick<Values, 'get'>,
  given: Values,
): FieldChange[] {
  const changes: FieldChange[] = []
  for (const [name, after] of given) {
    const old = before.get(name) ?? null
    const isSecret = (value: Json) => fields.get(name)?.isSecret?.(value) ?? false
    if (!isSame(old, after))
      changes.push({ name, before: old, after, isSecret: isSecret(old) || isSecret(after) })
  }
  return changes
}

function missingFields(at: readonly string[], fields: ReadonlyMap<string, ConfigField>, given: Values) {
  const problems: ConfigProblem[] = []
  for (const [name, { required }] of fields) {
    if (required && !given.has(name)) problems.push({ at: [...at, name], problem: 'This field is required.' })
  }
  return problems
}

/** A check whose slug is its key gets a new slug with a new key. */
function withMovedSlug(
  section: Section,
  from: string | null,
  key: string,
  before: Values,
  given: Values,
): Values {
  const follows = section === 'checks' && from !== null && before.get('slug') === from && !given.has('slug')
  return follows ? new Map([...given, ['slug', key]]) : given
}

function goneFrom(config: ProjectConfig, wanted: WantedConfig, owner: string) {
  // Later sections name objects of earlier ones, so they are deleted first.
  return [...SECTIONS]
    .reverse()
    .flatMap(section =>
      [...config[section]].flatMap(([key, object]) =>
        object.owner === owner && !wanted.objects[section].has(key) ? [{ section, key }] : [],
      ),
    )
}

function ownedCount(config: ProjectConfig, owner: string): number {
  return SECTIONS.flatMap(section => [...config[section].values()]).filter(one => one.owner === owner).length
}
