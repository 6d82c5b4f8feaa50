import { print, warn } from '../print.js'

/**
 * Prints a link for the operator to pass on. Warns if it points to `localhost`, which may be the default of this command
 * rather than the address of the server.
 */
export function printLink(words: string, link: string): void {
  print(`${words}\n\n  ${link}`)
  if (new URL(link).hostname !== 'localhost') return
  warn(
    'the link leads to SITE_ROOT: if the server has another SITE_ROOT or PORT, give it to this command too',
  )
}
