// Replaces the part of a page that is generated from the code, between two comments.

const END = '<!-- End of the part that `npm run docs` generates. -->'

/** Replaces the generated part of `page`, which begins after the comment that names `source`, with `text`. */
export function replaceGeneratedPart(path, page, source, text) {
  const begin = `<!-- \`npm run docs\` generates this part from ${source}. -->`
  const [from, to] = [page.indexOf(begin), page.indexOf(END)]
  if (from === -1 || to === -1) throw new Error(`${path} does not mark the part generated from ${source}`)
  return `${page.slice(0, from) + begin}\n\n${text}\n\n${page.slice(to)}`
}

/** A table in Markdown; each row is a list of cells. */
export function table(head, rows) {
  return [head, head.map(() => '---'), ...rows]
    .map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}
