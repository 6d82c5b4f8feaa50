/**
 * Runs commands of the user's on the machine that Punctual runs on. It takes no notices: the commands are written for
 * the changes of a check. Source: section 8.4 of the behaviour.
 */
import { oneLine } from '../core/clean-text.js'
import { Refusal } from '../core/errors.js'
import { placeholderHelp } from './alert-placeholders.js'
import { clip } from './clip.js'
import { DeliveryError, type Integration } from './integration.js'
import { SHELL_PLACEHOLDERS, shellCommand } from './shell-command.js'

const COMMAND_CHARACTERS = 1000
const OUTPUT_CHARACTERS = 120

export const shell: Integration = {
  kind: 'shell',
  label: 'Shell Command',
  category: 'anything',
  help: 'Runs a command on the machine of this installation when a check goes down, when it comes back up, or both.',
  guide: `
With \`SHELL_ENABLED\` everybody who may change a project of this installation can run whatever they like on its
machine, with the rights of Punctual. Switch it on only where you would let all of them sign in there.

A name or a tag is one word, whatever it holds, and the shell never reads it as a command. Within quotes it brings
quotes of its own where it needs them, so that \`ssh host "logger $NAME"\` is safe as well. Write \`\\$\` where you mean
a variable of the shell that begins like a placeholder.

The command gets nothing to read and sees of the environment only \`PATH\`, \`HOME\` and \`LANG\`, and the names and
tags in variables that begin with \`PUNCTUAL_\`. It has 30 seconds, after which it is killed with all that it
started. An exit code other than 0 is a failure, which is tried again, and whose last line of output stands at the
channel. Everybody in the project can read the commands, so keep secrets in files.`,
  placeholders: { where: 'The commands', list: placeholderHelp(SHELL_PLACEHOLDERS) },
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
    '<path d="m5 7 5 5-5 5"/><path d="M12 18h7"/></svg>',
  operatorSettings: [
    {
      name: 'SHELL_ENABLED',
      type: 'flag',
      default: 'False',
      help: 'Whether people may have commands run on this machine. Read the page of this integration before.',
    },
  ],
  needs: ['SHELL_ENABLED'],
  fields: [
    commandField('cmd_down', 'Command when a check goes down'),
    commandField('cmd_up', 'Command when a check comes back up'),
  ],
  check(settings) {
    if (settings.cmd_down || settings.cmd_up) return settings
    throw new Refusal('invalid', 'Enter a command for at least one of the two directions.', 'cmd_down')
  },
  describe({ cmd_down, cmd_up }) {
    return [cmd_down && `${short(cmd_down)} (down)`, cmd_up && `${short(cmd_up)} (up)`]
      .filter(text => text)
      .join(', ')
  },
  wants: (settings, status) => Boolean(settings[`cmd_${status}`]),
  async send(alert, to, ways) {
    if (to.operator.SHELL_ENABLED !== 'true') throw new DeliveryError('Shell commands are not enabled')
    const { command, variables } = shellCommand(to.settings[`cmd_${alert.status}`] ?? '', alert)
    const { code, signal, output } = await ways.run(command, variables)
    if (code === 0) return
    const ended = code === null ? `Command was ended by ${signal}` : `Command returned exit code ${code}`
    const said = oneLine(output.trimEnd().split('\n').at(-1) ?? '')
    throw new DeliveryError(said === '' ? ended : `${ended}: ${clip(said, OUTPUT_CHARACTERS)}`)
  },
}

function commandField(name: string, label: string) {
  return {
    name,
    label,
    type: 'multiline',
    maxLength: COMMAND_CHARACTERS,
    help: 'Without it nothing is run in this direction.',
  } as const
}

function short(text: string): string {
  return clip(oneLine(text), 40)
}
