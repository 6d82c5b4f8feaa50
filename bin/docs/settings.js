// Writes the table of settings into the page for operators, from the table in src/settings/.
import { table, withMadePart } from './made-part.js'

const PAGE = 'docs/self-hosting.md'

/**
 * The operators' page with its table made anew, by its path in the repository. `settings` are the settings by name,
 * `read` returns the page as it is.
 */
export function settingsPages(settings, read) {
  return new Map([[PAGE, withMadePart(PAGE, read(PAGE), 'src/settings/', groupsOf(settings))]])
}

function groupsOf(byName) {
  const settings = Object.entries(byName)
  const groups = [...new Set(settings.map(([, { group }]) => group))]
  return groups
    .map(group => `### ${group}\n\n${rowsOf(settings.filter(([, setting]) => setting.group === group))}`)
    .join('\n\n')
}

function rowsOf(settings) {
  const rows = settings.map(([name, setting]) => [`\`${name}\``, defaultOf(setting), setting.help])
  return table(['Setting', 'Default', 'Meaning'], rows)
}

/** A default that follows another setting names it: `{SITE_ROOT}/ping/` is shown as `SITE_ROOT/ping/`. */
function defaultOf({ default: value }) {
  return value === '' ? '' : `\`${value.replace(/\{(\w+)\}/g, '$1')}\``
}
