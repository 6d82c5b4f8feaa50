/** Shows names and addresses that other people chose in e-mails, so that they cannot change the message. */
import { oneLine } from './clean-text.js'

const MAX_CHARACTERS = 60

/** Quotation marks would end the quotation. */
const QUOTES = /["“”„‟«»″‴‶‷⁗❝❞❠〝〞〟\u{1f676}-\u{1f678}]/gu

/** Two primes or apostrophes look like a quotation mark. */
const PRIMES = /[\u2032\u2035'’]{2,}/gu

/** Formatting and other invisible characters. */
const INVISIBLE = /[\p{Cf}\p{DI}\p{Cs}]/gu

/**
 * What mail programs turn into links: a dot, an at sign or a colon within a word. A time of day is
 * not a link; `tel:112` is.
 */
const IN_LINKS = /[.@\u3002](?=\S)|:(?=[^\s\d])|(?<=\p{L}):(?=\S)/gu

/** An address without parts that a mail program would link. */
const PLAIN_ADDRESS = /^(?!www\.)[\p{L}\p{N}_+.%='~-]+@[\p{L}\p{N}\p{M}._-]+$/u

/**
 * A name in quotation marks, on one line, with at most 60 characters. As in GitLab's e-mails, `example.com` becomes
 * `example_com`, so that mail programs link no part of it. `unnamed` replaces a name without visible characters.
 */
export function quotedName(name: string, unnamed: string): string {
  // Normalisation splits some marks, such as a triple prime.
  const shown = oneLine(name.replace(QUOTES, '’').normalize('NFKC').replace(INVISIBLE, ' '))
    .replace(QUOTES, '’')
    .replace(PRIMES, '’')
    .replace(IN_LINKS, '_')
  return shown === '' ? unnamed : `“${cut(shown)}”`
}

/**
 * An e-mail address as it is if it is short and no part of it would be linked to a page; else as {@link quotedName}.
 */
export function quotedAddress(address: string): string {
  return PLAIN_ADDRESS.test(address) && address.length <= MAX_CHARACTERS
    ? address
    : quotedName(address, 'another address')
}

function cut(text: string): string {
  const characters = [...text]
  return characters.length <= MAX_CHARACTERS ? text : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`
}
