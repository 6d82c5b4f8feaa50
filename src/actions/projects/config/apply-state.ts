import { bySection, type Json, type Section } from '../../../core/config/project-config.js'
import type { ConfigStep } from '../../../storage/projects/config/config-step.js'
import type { Mark, MarkKey } from '../../../storage/projects/config/marks.js'
import type { StoredConfig } from '../../../storage/projects/config/stored-config.js'
import type { StoredObject } from '../../../storage/projects/config/stored-object.js'
import { keysOf } from '../../../storage/projects/config/unchanged.js'
import type { AppliedConfig, AskedConfig } from '../../../storage/projects/config.js'

/** The marks of objects that are gone that are removed with one plan. */
const MOST_STALE = 1_000

/** A project while the steps of a plan are made in several transactions: what the next one names, and what it expects. */
export class ApplyState {
  /** The UUIDs or IDs of objects, by the keys that they have, had or are to get. */
  readonly refs: Record<Section, Map<string, string>>
  readonly #objects: Record<Section, ReadonlyMap<string, StoredObject>>
  readonly #marks: Map<string, Mark>
  readonly #stale: MarkKey[]
  #seen: StoredConfig['seen']

  /** `stored`: the project for which the steps were planned. */
  constructor({ objects, marks, seen }: StoredConfig, steps: readonly ConfigStep[]) {
    this.#objects = bySection(section => new Map(objects[section].map(one => [one.key, one])))
    this.refs = bySection(section => new Map(objects[section].map(({ key, ref }) => [key, ref])))
    for (const { section, key, movedFrom } of steps)
      if (movedFrom !== null) this.refs[section].set(key, this.refs[section].get(movedFrom)!)
    this.#marks = new Map(marks.map(mark => [nameOf(mark), mark]))
    const replaced = new Set(keysOf(steps).map(nameOf))
    this.#stale = marks.filter(
      mark => !this.#objects[mark.section].has(mark.key) && !replaced.has(nameOf(mark)),
    )
    this.#seen = seen
  }

  /** A step with what it needs to know of the object as it is. */
  completed(step: ConfigStep): ConfigStep {
    const { section, action, key, movedFrom, values } = step
    const old = action === 'create' ? undefined : this.#objects[section].get(movedFrom ?? key)
    if (section === 'checks') return old ? { ...step, seen: old.seen, parents: this.#parentsOf(old) } : step
    if (section !== 'silences' || action === 'delete' || values.size === 0) return step
    // What is over is not begun again: another one takes its place.
    if (!old || old.isOver) {
      const silence = { isNew: true, beganAt: null }
      return { ...step, values: new Map([...(old?.values ?? []), ...values]), silence }
    }
    const { from } = old.values.get('when') as { from: string }
    return { ...step, silence: { isNew: false, beganAt: Date.parse(from) } }
  }

  /** The dependencies that a check gets when all checks are there; none if it only loses some. */
  dependencies({ section, key, movedFrom, values }: ConfigStep): ConfigStep[] {
    const wanted = section === 'checks' ? values.get('depends_on') : undefined
    if (wanted === undefined) return []
    const asked = new Set(keysIn(wanted).map(parent => this.refs.checks.get(parent)))
    const old = this.#objects.checks.get(movedFrom ?? key)
    const parents = this.#parentsOf(old).filter(uuid => asked.has(uuid))
    if (parents.length === keysIn(wanted).length) return []
    return [
      { action: 'depend', section, key, movedFrom: null, values: new Map([['depends_on', wanted]]), parents },
    ]
  }

  #parentsOf(check: StoredObject | undefined): string[] {
    return keysIn(check?.values.get('depends_on') ?? [])
      .map(key => this.refs.checks.get(key)!)
      .sort()
  }

  /** What the next steps name and expect. `isFirst`: no others were made before. */
  expected(steps: readonly ConfigStep[], isFirst: boolean): Pick<AskedConfig, 'seen' | 'marks' | 'refs'> {
    const looksAtOthers = isFirst || steps.some(({ section }) => section !== 'checks')
    const checks = new Map<string, string>()
    for (const key of steps.flatMap(checksNamed)) {
      const ref = this.refs.checks.get(key)
      if (ref !== undefined) checks.set(key, ref)
    }
    return {
      seen: { ...this.#seen, others: looksAtOthers ? this.#seen.others : null },
      marks: keysOf(steps).flatMap(one => this.#marks.get(nameOf(one)) ?? []),
      refs: { ...this.refs, checks },
    }
  }

  /** Some marks of objects that are gone. */
  stale(): MarkKey[] {
    return this.#stale.slice(0, MOST_STALE)
  }

  /** Notes that steps were made. */
  made(steps: readonly ConfigStep[], { made, seen }: AppliedConfig, owner: string): void {
    for (const { section, key, ref } of made) this.refs[section].set(key, ref)
    for (const one of keysOf(steps)) this.#marks.delete(nameOf(one))
    for (const { action, section, key } of steps) {
      if (action === 'delete' || action === 'depend') continue
      const mark = { section, key, ref: this.refs[section].get(key)!, owner, beginsAt: null }
      this.#marks.set(nameOf(mark), mark)
    }
    this.#seen = { ...seen, others: seen.others ?? this.#seen.others }
  }
}

function nameOf({ section, key }: MarkKey): string {
  return `${section}/${key}`
}

function keysIn(value: Json): readonly string[] {
  return value as readonly string[]
}

/** The keys of checks that a step names, also its own. */
function checksNamed({ section, key, values }: ConfigStep): readonly string[] {
  if (section === 'checks') return [key, ...keysIn(values.get('depends_on') ?? [])]
  const scope = section === 'silences' ? (values.get('scope') as { checks?: Json } | undefined) : undefined
  return keysIn(scope?.checks ?? [])
}
