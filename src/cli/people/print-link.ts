import { print, warn } from '../print.js'

/**
 * Prints a link for the operator to pass on. Warns if it points to `localhost`, which may be the default of this command
 * rather than the address of the server.
 */
export function printLink(words: string, link: string): void {
  print(`${words}\n\n  ${link}`)
  if (new URL(link).hostname !== 'localhost') return
  warn(
    'the link uses SITE_ROOT: if the server has a different SITE_ROOT or PORT, set it for this command too',
  )
}
