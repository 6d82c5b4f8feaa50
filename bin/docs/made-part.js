// Replaces the part of a page that is made from the code, between two comments.

const END = '<!-- End of what `npm run docs` makes. -->'

/** The page with `text` as its made part, which begins after the comment that names `source`. */
export function withMadePart(path, page, source, text) {
  const begin = `<!-- The rest of this section is made by \`npm run docs\` from ${source}. -->`
  const [from, to] = [page.indexOf(begin), page.indexOf(END)]
  if (from === -1 || to === -1) throw new Error(`${path} does not say where what ${source} gives goes`)
  return `${page.slice(0, from) + begin}\n\n${text}\n\n${page.slice(to)}`
}

/** A table in Markdown; each row is a list of cells. */
export function table(head, rows) {
  return [head, head.map(() => '---'), ...rows]
    .map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}
