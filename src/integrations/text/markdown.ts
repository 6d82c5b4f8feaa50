/** Escapes texts for the Markdown of GitHub and Trello. Source: the CommonMark specification. */

/** Escapes markup and mentions. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~&]/g, '\\$&').replace(/@/g, '@\u200b')
}

/** A code block whose fences are longer than any in the text. */
export function codeBlock(text: string): string {
  const runs = text.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...runs.map(run => run.length + 1)))
  return `${fence}\n${text}\n${fence}`
}
