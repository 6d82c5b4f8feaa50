/** Names and addresses that another person chose, as e-mails show them: nobody words our e-mails with them. */
import { oneLine } from './clean-text.js'

const MAX_CHARACTERS = 60

/** Quotation marks would end the quotation. */
const QUOTES = /["“”„‟«»″‴‶‷⁗❝❞❠〝〞〟\u{1f676}-\u{1f678}]/gu

/** Two strokes look like a quotation mark. */
const PRIMES = /[\u2032\u2035'’]{2,}/gu

/** Formatting characters and others that do not show. */
const INVISIBLE = /[\p{Cf}\p{DI}\p{Cs}]/gu

/** What mail programs make links of: a dot, an at sign or a colon within a word. A time of day is not a link, `tel:112` is. */
const IN_LINKS = /[.@\u3002](?=\S)|:(?=[^\s\d])|(?<=\p{L}):(?=\S)/gu

/** An address of which no mail program links a part. */
const PLAIN_ADDRESS = /^(?!www\.)[\p{L}\p{N}_+.%='~-]+@[\p{L}\p{N}\p{M}._-]+$/u

/**
 * A name in quotation marks, on one line, at most 60 characters long. Mail programs make no link of any of it: as in
 * GitLab's e-mails, `example.com` becomes `example_com`. `unnamed` stands for a name that has nothing to show.
 */
export function quotedName(name: string, unnamed: string): string {
  // The normal form takes marks apart, such as one of three strokes.
  const shown = oneLine(name.replace(QUOTES, '’').normalize('NFKC').replace(INVISIBLE, ' '))
    .replace(QUOTES, '’')
    .replace(PRIMES, '’')
    .replace(IN_LINKS, '_')
  return shown === '' ? unnamed : `“${cut(shown)}”`
}

/** An e-mail address as it is, where it is short and has nothing that mail programs take for a link to a page; else as a name. */
export function quotedAddress(address: string): string {
  return PLAIN_ADDRESS.test(address) && address.length <= MAX_CHARACTERS
    ? address
    : quotedName(address, 'another address')
}

function cut(text: string): string {
  const characters = [...text]
  return characters.length <= MAX_CHARACTERS ? text : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`
}
