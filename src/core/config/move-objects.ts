import type { ReplaceKey } from './config-field.js'
import {
  bySection,
  type ConfigObject,
  type ConfigProblem,
  type Move,
  type ProjectConfig,
  SECTIONS,
  type Sections,
  type Values,
} from './project-config.js'
import { type ChannelSections, fieldsOf } from './sections.js'

interface Moved {
  config: ProjectConfig
  /** From new keys to old ones. */
  moved: Sections<string>
  problems: ConfigProblem[]
}

/** In turns, one for each object: the project with the keys of moved objects replaced, and which were moved: from new keys to old ones. */
export function* moveObjects(
  current: ProjectConfig,
  moves: readonly Move[],
  { channels }: { channels: ChannelSections },
): Generator<void, Moved> {
  const problems: ConfigProblem[] = []
  const moved = bySection(() => new Map<string, string>())
  const renamed = bySection(() => new Map<string, string>())
  for (const { section, from, to } of moves) {
    // It was moved before, or never was there.
    if (!current[section].has(from)) continue
    if (current[section].has(to) || moved[section].has(to)) {
      problems.push({ at: ['moved', from], problem: `There is already an object with the key ${to}.` })
      continue
    }
    moved[section].set(to, from)
    renamed[section].set(from, to)
  }
  if (moves.length === 0) return { config: current, moved, problems }
  const config = yield* replaceInAll(current, (section, key) => renamed[section].get(key) ?? key, channels)
  return { config, moved, problems }
}

/** In turns, too: the project with every key replaced, where it stands and where it is named; objects whose key is null are left out. */
export function* replaceInAll(
  config: ProjectConfig,
  replace: ReplaceKey,
  channels: ChannelSections,
): Generator<void, ProjectConfig> {
  const after = bySection(() => new Map<string, ConfigObject>())
  for (const section of SECTIONS) {
    for (const [key, { owner, values }] of config[section]) {
      yield
      const to = replace(section, key)
      if (to === null) continue
      const fields = fieldsOf(section, values, channels)
      const replaced: Values = new Map(
        [...values].map(([name, value]) => [name, fields.get(name)?.mapKeys?.(value, replace) ?? value]),
      )
      after[section].set(to, { owner, values: replaced })
    }
  }
  return after
}
