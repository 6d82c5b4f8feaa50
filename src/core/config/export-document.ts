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

/** Values that are the default are left out. Secrets are variables such as `${OPS_URL}`. */
export function exportDocument(
  config: ProjectConfig,
  { project, channels }: { project: string; channels: ChannelSections },
): Exported {
  const variables = new Map<string, Place>()
  const shown = (section: Section, key: string, values: Values) => {
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
  const sections = SECTIONS.filter(section => config[section].size > 0).map(section => [
    section,
    Object.fromEntries([...config[section]].map(([key, { values }]) => [key, shown(section, key, values)])),
  ])
  return { document: { project: escapeVariables(project), ...Object.fromEntries(sections) }, variables }
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
