import { type Command, Option } from 'commander'

/** `--json`: for commands that print data. */
export function jsonOption(): Option {
  return new Option('--json', 'print JSON')
}

/** `--project UUID`: the project that a command is about. */
export function projectOption(): Option {
  return new Option('--project <uuid>', 'the project, see `punctual project list`').makeOptionMandatory()
}

/** `--kind`: which of a project's keys. */
export function keyKindOption(): Option {
  return new Option(
    '--kind <kind>',
    'rw: API, read and write; ro: API, read only; ping: ping URLs with slugs',
  ).choices(['rw', 'ro', 'ping'])
}

export type KeyKind = 'rw' | 'ro' | 'ping'

/** Adds a command whose help shows `example` at its end. */
export function withExample(command: Command, example: string): Command {
  return command.addHelpText('after', `\nExample:\n  ${example}`)
}
