/**
 * The section of a changelog under the heading `## VERSION` or `## VERSION (DATE)`. Throws if there is none or it is
 * empty.
 */
export function releaseNotes(changelog, version) {
  const sections = changelog.split(/^## +/m).slice(1)
  const section = sections.find(text => text.split(/\s/, 1)[0] === version)
  if (!section) throw new Error(`CHANGELOG.md has no section "## ${version}"`)
  const notes = section.slice(section.indexOf('\n') + 1).trim()
  if (!section.includes('\n') || notes === '') throw new Error(`CHANGELOG.md says nothing about ${version}`)
  return `${notes}\n`
}
