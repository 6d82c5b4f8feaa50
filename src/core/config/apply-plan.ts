import { defaultsOf } from './config-field.js'
import { moveObjects, replaceInAll } from './move-objects.js'
import type { Plan, PlanOptions } from './planned.js'
import { bySection, type ProjectConfig } from './project-config.js'
import { fieldsOf } from './sections.js'

/** In turns, one for each step: the project after a plan. What is not applied stays the same object. */
export function* applyPlan(
  current: ProjectConfig,
  { steps }: Pick<Plan, 'steps'>,
  { owner, channels }: Pick<PlanOptions, 'owner' | 'channels'>,
): Generator<void, ProjectConfig> {
  const moves = steps.flatMap(({ section, key, movedFrom }) =>
    movedFrom === null ? [] : [{ section, from: movedFrom, to: key }],
  )
  const { config } = yield* moveObjects(current, moves, { channels })
  const after = bySection(section => new Map(config[section]))
  const deleted = bySection(() => new Set<string>())
  for (const { action, section, key, fields: changes } of steps) {
    yield
    if (action === 'delete') {
      deleted[section].add(key)
      continue
    }
    const given = new Map(changes.map(change => [change.name, change.after]))
    const before = after[section].get(key)?.values
    const values = before ? new Map(before) : defaultsOf(fieldsOf(section, given, channels), key)
    for (const [name, value] of given) values.set(name, value)
    after[section].set(key, { owner, values })
  }
  if (steps.every(({ action }) => action !== 'delete')) return after
  return yield* replaceInAll(after, (section, key) => (deleted[section].has(key) ? null : key), channels)
}
