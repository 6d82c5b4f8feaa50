/** Texts from users, made so that a chat shows them as they are: no mention, no link, no change of style. */

/** Joins its neighbours invisibly, so that a mark beside it is no markup. */
const JOINER = '\u034f'

/** As Slack reads it: no entity or mention begins, and no style. Source: Slack, "Formatting text". */
export function slackText(text: string): string {
  return escapeAngles(text).replace(/[*_~`]/g, mark => JOINER + mark)
}

/** The three characters that Slack reads in every text. */
export function escapeAngles(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Nobody is mentioned, and nothing becomes a link with another text than its address; styles may still be. */
export function defused(text: string): string {
  return text.replace(/[@<]|](?=\()/g, mark => `${mark}\u200b`).replaceAll('```', '``\u02cb')
}

/** As Markdown shows it unchanged, in the dialects of chats; lines stay lines. */
export function markdownText(text: string): string {
  return defused(text.replace(/[\\*_~`|]/g, '\\$&').replace(/^([#>+-])/gm, '\\$1'))
}

/**
 * As Rocket.Chat shows it unchanged: four of its marks can be escaped, the others are kept apart.
 * Source: the grammar of its message parser.
 */
export function rocketText(text: string): string {
  return defused(text)
    .replace(/[*_~`]/g, '\\$&')
    .replace(/#|\|(?=\|)/g, mark => `${mark}\u200b`)
    .replace(/^>/gm, '\u200b>')
}

/** The text within `maxBytes` bytes of UTF-8, the last of them `…` where something is cut off. */
export function cutBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  // A character that was cut apart decodes to U+FFFD.
  const kept = bytes.subarray(0, maxBytes - 3).toString()
  return `${kept.replace(/\ufffd$/, '')}\u2026`
}
