// Writes the tables of settings to the page for operators, from src/settings/.
import { replaceGeneratedPart, table } from './generated-part.js'

const PAGE = 'docs/self-hosting.md'

/** The updated page by its path. `settings` are the settings by name; `read` returns a page's current text. */
export function settingsPages(settings, read) {
  return new Map([[PAGE, replaceGeneratedPart(PAGE, read(PAGE), 'src/settings/', groupsOf(settings))]])
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

/** The default as displayed. A reference to another setting is shown by name: `{SITE_ROOT}/ping/` as `SITE_ROOT/ping/`. */
function defaultOf({ default: value }) {
  return value === '' ? '' : `\`${value.replace(/\{(\w+)\}/g, '$1')}\``
}
