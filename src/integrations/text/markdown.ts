/** Texts in Markdown as GitHub and Trello read it. Source: the CommonMark specification. */

/** A text that is shown as it is: no markup, and nobody is mentioned by it. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~&]/g, '\\$&').replace(/@/g, '@\u200b')
}

/** A text between fences that are longer than any it holds. */
export function codeBlock(text: string): string {
  const runs = text.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...runs.map(run => run.length + 1)))
  return `${fence}\n${text}\n${fence}`
}
