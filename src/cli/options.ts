import { type Command, Option } from 'commander'

/** `--json`: for commands that print data. */
export function jsonOption(): Option {
  return new Option('--json', 'print JSON')
}

/** `--project UUID`: the project to use. */
export function projectOption(): Option {
  return new Option(
    '--project <uuid>',
    'the UUID of the project, see `punctual project list`',
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
