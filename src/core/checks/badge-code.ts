/** The code that shows a badge on a page. */

/** Markdown that shows the badge at `url`, as a link to `target` if there is one. */
export function badgeMarkdown(label: string, url: string, target: string | null): string {
  const image = `![${label.replace(/[\\[\]!<>&*_`]/g, '\\$&')}](${url})`
  return target === null ? image : `[${image}](${target})`
}

/** HTML that does the same. */
export function badgeHtml(label: string, url: string, target: string | null): string {
  const image = `<img src="${escaped(url)}" alt="${escaped(label)}">`
  return target === null ? image : `<a href="${escaped(target)}">${image}</a>`
}

function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, char => entities[char]!)
}
