import { type Command, InvalidArgumentError, Option } from 'commander'
import { parseDuration } from '../core/time/parse-duration.js'

/** `--json`: for commands that print data. */
export function jsonOption(): Option {
  return new Option('--json', 'print JSON')
}

/** `--project PROJECT`: the project to use. */
export function projectOption(): Option {
  return new Option(
    '--project <project>',
    'the name or the UUID of the project, see `punctual project list`',
  ).makeOptionMandatory()
}

/** `--kind`: the kind of key. */
export function keyKindOption(): Option {
  return new Option(
    '--kind <kind>',
    'rw: read and write API key; ro: read-only API key; ping: key for ping URLs with slugs',
  ).choices(['rw', 'ro', 'ping'])
}

export type KeyKind = 'rw' | 'ro' | 'ping'

/** Adds `example` to the end of the command's help. */
export function withExample(command: Command, example: string): Command {
  return command.addHelpText('after', `\nExample:\n  ${example}`)
}

/** Parses the argument of an option that is a length of time, such as `2h`, into whole seconds. */
export function parseSeconds(text: string): number {
  const parsed = parseDuration(text)
  if (!parsed) throw new InvalidArgumentError('Write it as `1h`, `90 min` or `1 day`.')
  return parsed
}
