import { bySection, type ProjectConfig } from '../../../src/core/config/project-config.js'

/** The objects of each section by their keys, in one order, to be compared. */
export function sortedConfig(config: ProjectConfig) {
  return bySection(section =>
    Object.fromEntries(
      [...config[section]]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, { owner, values }]) => [`${key} `, { owner, values: Object.fromEntries(values) }]),
    ),
  )
}
