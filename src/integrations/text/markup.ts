/** Escapes users' texts for chats: mentions, links and styles. */

/** An invisible character that keeps the mark after it from being read as markup. */
const JOINER = '\u034f'

/** Escapes a text for Slack: entities, mentions and styles. Source: Slack, "Formatting text". */
export function escapeSlack(text: string): string {
  return escapeAngles(text).replace(/[*_~`]/g, mark => JOINER + mark)
}

/** Escapes the three characters that have a meaning in every text in Slack. */
export function escapeAngles(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Disables mentions, and links whose text differs from their address, but not styles. */
export function disableMentions(text: string): string {
  return text.replace(/[@<]|](?=\()/g, mark => `${mark}\u200b`).replaceAll('```', '``\u02cb')
}

/** Escapes a text for the Markdown of chats. Keeps line breaks. */
export function escapeChatMarkdown(text: string): string {
  return disableMentions(text.replace(/[\\*_~`|]/g, '\\$&').replace(/^([#>+-])/gm, '\\$1'))
}

/**
 * Escapes a text for Rocket.Chat: four of its marks can be escaped, and the others are separated by invisible spaces.
 * Source: the grammar of its message parser.
 */
export function escapeRocketChat(text: string): string {
  return disableMentions(text)
    .replace(/[*_~`]/g, '\\$&')
    .replace(/#|\|(?=\|)/g, mark => `${mark}\u200b`)
    .replace(/^>/gm, '\u200b>')
}

/** Cuts a text to `maxBytes` bytes of UTF-8, ending in `…` if it was cut. */
export function cutBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  // A partial character decodes to U+FFFD.
  const kept = bytes.subarray(0, maxBytes - 3).toString()
  return `${kept.replace(/\ufffd$/, '')}\u2026`
}
