/** What would be wrong with a project after a plan. */
import { applyPlan } from './apply-plan.js'
import { checkProblem } from './check-section.js'
import type { ConfigField } from './config-field.js'
import { areEnough, firstProblems } from './first-problems.js'
import type { Plan, PlanOptions } from './planned.js'
import {
  type ConfigProblem,
  type Json,
  type ProjectConfig,
  SECTIONS,
  type Section,
  type WantedConfig,
} from './project-config.js'
import { fieldsOf } from './sections.js'

/** In turns. Only of what the plan touches, and of names in the file, whose objects the plan may delete. */
export function* planProblems(
  current: ProjectConfig,
  wanted: WantedConfig,
  plan: Pick<Plan, 'steps'>,
  options: PlanOptions,
): Generator<void, readonly ConfigProblem[]> {
  const after = yield* applyPlan(current, plan, options)
  const missing = new MissingNames(after)
  const problems: ConfigProblem[] = []
  for (const section of SECTIONS) {
    for (const [key, given] of wanted.objects[section]) {
      yield
      const fields = fieldsOf(section, given, options.channels)
      for (const [name, value] of given)
        for (const [named, other] of missing.in(fields.get(name), value))
          problems.push({ at: [section, key, name], problem: `There is no “${other}” in ${named}.` })
      if (areEnough(problems)) return firstProblems(problems, [section])
    }
  }
  for (const { action, section, key } of plan.steps) {
    yield
    if (action === 'delete') continue
    const object = after[section].get(key)!
    const wrong = section === 'checks' ? checkProblem(key, object.values) : null
    if (wrong !== null) problems.push(wrong)
    if (areEnough(problems)) return firstProblems(problems, [section])
  }
  const all = [...problems, ...(yield* circles(after)), ...severalDefaults(after, plan)]
  return firstProblems(all, [])
}

/** Which objects values name that are not there. All checks share the values of defaults, so these are looked at once. */
class MissingNames {
  readonly #known = new Map<Json, (readonly [Section, string])[]>()

  constructor(private readonly after: ProjectConfig) {}

  in(field: ConfigField | undefined, value: Json): readonly (readonly [Section, string])[] {
    if (!field?.mapKeys) return []
    const known = this.#known.get(value)
    if (known) return known
    const missing: [Section, string][] = []
    field.mapKeys(value, (section, key) => {
      if (!this.after[section].has(key)) missing.push([section, key])
      return key
    })
    if (typeof value === 'object') this.#known.set(value, missing)
    return missing
  }
}

/** Checks that depend on each other in a circle. */
function* circles({ checks }: ProjectConfig): Generator<void, ConfigProblem[]> {
  const problems: ConfigProblem[] = []
  const done = new Set<string>()
  for (const start of checks.keys()) {
    const open = new Set<string>()
    // A stack of its own: chains may be longer than the stack of calls.
    const stack = [{ key: start, isLeft: false }]
    for (let next = stack.pop(); next; next = stack.pop()) {
      yield
      const { key, isLeft } = next
      if (isLeft) {
        open.delete(key)
        done.add(key)
      } else if (open.has(key)) {
        problems.push({ at: ['checks', key, 'depends_on'], problem: 'The check would depend on itself.' })
      } else if (!done.has(key)) {
        open.add(key)
        stack.push({ key, isLeft: true })
        for (const parent of parentsOf(checks, key)) stack.push({ key: parent, isLeft: false })
      }
    }
  }
  return problems
}

function parentsOf(checks: ProjectConfig['checks'], key: string): readonly string[] {
  return (checks.get(key)?.values.get('depends_on') ?? []) as readonly string[]
}

function severalDefaults({ policies }: ProjectConfig, { steps }: Pick<Plan, 'steps'>): ConfigProblem[] {
  const defaults = [...policies]
    .filter(([, { values }]) => values.get('default') === true)
    .map(([key]) => key)
  const touched = steps.filter(({ section, key }) => section === 'policies' && defaults.includes(key))
  if (defaults.length < 2 || touched.length === 0) return []
  const problem = `Only one policy is the default; there would be: ${defaults.join(', ')}.`
  return [{ at: ['policies', touched[0]!.key, 'default'], problem }]
}
