// Writes the table of settings into the page for operators, from the table in src/settings/.

const PAGE = 'docs/self-hosting.md'
const BEGIN = '<!-- The rest of this section is made by `npm run docs` from src/settings/. -->'
const END = '<!-- End of what `npm run docs` makes. -->'

/**
 * The operators' page with its table made anew, by its path in the repository. `table` is the settings by name,
 * `read` returns the page as it is.
 */
export function settingsPages(table, read) {
  const page = read(PAGE)
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin === -1 || end === -1) throw new Error(`${PAGE} does not say where the settings go`)
  return new Map([[PAGE, `${page.slice(0, begin) + BEGIN}\n\n${groupsOf(table)}\n\n${page.slice(end)}`]])
}

function groupsOf(table) {
  const settings = Object.entries(table)
  const groups = [...new Set(settings.map(([, { group }]) => group))]
  return groups
    .map(group => `### ${group}\n\n${rowsOf(settings.filter(([, setting]) => setting.group === group))}`)
    .join('\n\n')
}

function rowsOf(settings) {
  const rows = settings.map(([name, setting]) => [`\`${name}\``, defaultOf(setting), setting.help])
  return [['Setting', 'Default', 'Meaning'], ['---', '---', '---'], ...rows]
    .map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}

/** A default that follows another setting names it: `{SITE_ROOT}/ping/` is shown as `SITE_ROOT/ping/`. */
function defaultOf({ default: value }) {
  return value === '' ? '' : `\`${value.replace(/\{(\w+)\}/g, '$1')}\``
}
