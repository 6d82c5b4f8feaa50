import { Parser } from 'htmlparser2'

/** Elements whose content is not displayed. */
const HIDDEN = new Set(['script', 'style'])

/** Elements that start a new line. */
const BLOCKS = new Set(
  (
    'address article aside blockquote br center dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 ' +
    'h6 header hr li main nav ol option p pre section table td th tr ul'
  ).split(' '),
)

/**
 * The text of `html` as displayed, without tags, with entities decoded and white space collapsed. Inline elements do
 * not separate words (`<b>S</b>UCCESS` is `SUCCESS`). Source: docs/behaviour.md, section 6.3.
 */
export function htmlToText(html: string): string {
  if (html === '') return ''
  const pieces: string[] = []
  let hiddenDepth = 0
  const parser = new Parser(
    {
      onopentagname(name) {
        if (HIDDEN.has(name)) hiddenDepth++
        else if (BLOCKS.has(name)) pieces.push(' ')
      },
      ontext(text) {
        if (hiddenDepth === 0) pieces.push(text)
      },
      onclosetag(name) {
        if (HIDDEN.has(name)) hiddenDepth = Math.max(0, hiddenDepth - 1)
        else if (BLOCKS.has(name)) pieces.push(' ')
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  parser.write(html)
  parser.end()
  return pieces.join('').replace(/\s+/g, ' ').trim()
}
