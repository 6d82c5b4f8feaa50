import { Parser } from 'htmlparser2'

/** Elements whose content nobody sees. */
const UNSEEN = new Set(['script', 'style'])

/** Elements that stand in a line of their own; the others join what they stand between. */
const BLOCKS = new Set(
  (
    'address article aside blockquote br center dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 ' +
    'h6 header hr li main nav ol option p pre section table td th tr ul'
  ).split(' '),
)

/**
 * The text that a reader of `html` sees: tags dropped, entities decoded, white space as one space. Elements in
 * the line join without a space (`<b>S</b>UCCESS` is `SUCCESS`). Source: docs/behaviour.md, section 6.3.
 */
export function htmlText(html: string): string {
  if (html === '') return ''
  const pieces: string[] = []
  let unseen = 0
  const parser = new Parser(
    {
      onopentagname(name) {
        if (UNSEEN.has(name)) unseen++
        else if (BLOCKS.has(name)) pieces.push(' ')
      },
      ontext(text) {
        if (unseen === 0) pieces.push(text)
      },
      onclosetag(name) {
        if (UNSEEN.has(name)) unseen = Math.max(0, unseen - 1)
        else if (BLOCKS.has(name)) pieces.push(' ')
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  parser.write(html)
  parser.end()
  return pieces.join('').replace(/\s+/g, ' ').trim()
}
