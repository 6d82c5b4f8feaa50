import { print, warn } from '../print.js'

/**
 * Prints a link for the operator to hand over. One to `localhost` may be built from a default while the server has other
 * settings, which is said.
 */
export function printLink(words: string, link: string): void {
  print(`${words}\n\n  ${link}`)
  if (new URL(link).hostname !== 'localhost') return
  warn(
    'the link leads to SITE_ROOT: if the server has another SITE_ROOT or PORT, give it to this command too',
  )
}
