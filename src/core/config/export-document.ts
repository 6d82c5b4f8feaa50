/** The file that describes a project. */
import { defaultsOf, isSame } from './config-field.js'
import {
  type Json,
  type Place,
  type ProjectConfig,
  SECTIONS,
  type Section,
  type Values,
} from './project-config.js'
import { type ChannelSections, fieldsOf } from './sections.js'
import { escapeTexts, escapeVariables } from './substitute.js'

export interface Exported {
  document: { readonly [name: string]: Json }
  /** The variables that stand for secrets, each with its place. */
  variables: ReadonlyMap<string, Place>
}

/** In turns, one for each object. Values that are the default are left out. Secrets are variables such as `${OPS_URL}`. */
export function* exportDocument(
  config: ProjectConfig,
  { project, channels }: { project: string; channels: ChannelSections },
): Generator<void, Exported> {
  const variables = new Map<string, Place>()
  const shown = (section: Section, key: string, values: Values): Json => {
    const fields = fieldsOf(section, values, channels)
    const defaults = defaultsOf(fields, key)
    const kept = [...fields].flatMap(([name, { required, isSecret }]): [string, Json][] => {
      const value = values.get(name) ?? null
      if (value === null || (!required && isSame(value, defaults.get(name)))) return []
      if (value === '' || !isSecret?.(value)) return [[name, escapeTexts(value)]]
      const variable = unusedName(`${key}_${name}`, variables)
      variables.set(variable, [section, key, name])
      return [[name, `\${${variable}}`]]
    })
    return Object.fromEntries(kept)
  }
  const document: Record<string, Json> = { project: escapeVariables(project) }
  for (const section of SECTIONS) {
    const objects: [string, Json][] = []
    for (const [key, { values }] of config[section]) {
      objects.push([key, shown(section, key, values)])
      yield
    }
    if (objects.length > 0) document[section] = Object.fromEntries(objects)
  }
  return { document, variables }
}

function unusedName(words: string, used: ReadonlyMap<string, unknown>): string {
  const name = words
    .toUpperCase()
    .replace(/[^A-Z0-9_]/g, '_')
    .replace(/^(?=\d)/, '_')
  let unused = name
  for (let count = 2; used.has(unused); count += 1) unused = `${name}_${count}`
  return unused
}
