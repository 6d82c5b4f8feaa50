/**
 * Runs users' commands on the machine where Punctual runs. It gets no notices, because the commands are for changes of a
 * check. Source: docs/behaviour.md, section 8.4.
 */

import { Refusal } from '../../../core/errors.js'
import { oneLine } from '../../../core/text/clean-text.js'
import { DeliveryError, type Integration } from '../../integration.js'
import type { Operator } from '../../setup.js'
import { placeholderHelp } from '../../text/alert-placeholders.js'
import { clip } from '../../text/clip.js'
import { SHELL_PLACEHOLDERS, shellCommand } from './shell-command.js'
import { unsafePlacement } from './shell-safety.js'

const DIRECTIONS = ['cmd_down', 'cmd_up'] as const
const COMMAND_CHARACTERS = 1000
const OUTPUT_CHARACTERS = 120

export const shell: Integration = {
  kind: 'shell',
  label: 'Shell Command',
  category: 'anything',
  help: 'Runs a command on the machine of this installation when a check goes down, when it comes back up, or both.',
  guide: `
With \`SHELL_ENABLED\`, project owners can run any command on this machine with the permissions of Punctual, and anyone
with an account can create a project and owns it. Punctual therefore does not start if \`REGISTRATION_OPEN\` is also
on, and only the owner of a project can add, change, enable, disable or delete a channel of this kind. Everyone in the
project can read the commands and send a test, and members choose which checks run them.

To limit the commands, list the allowed ones in \`SHELL_COMMANDS\`, or in a file named by \`SHELL_COMMANDS_FILE\`: one
command per line; empty lines and lines that begin with \`#\` are ignored. Channels then accept only exactly these
commands, and a stored command that is no longer in the list is not run.

The shell that runs a command never interprets a name or tag as code: outside quotes, it is always one word. A command
may pass a name to one other shell, inside one pair of quotes and without quotes of its own, because Punctual adds the
quotes that the name needs: \`ssh host "logger $NAME"\`. The following uses are refused, both when a channel is saved
and before a stored command is run:

- a name within inner or escaped quotes (\`ssh host "logger '$NAME'"\`), or in a word that is only partly quoted;
- a name outside quotes in a command with \`ssh\`, \`sh -c\`, \`eval\` and the like;
- a name that passes through two other shells, or is part of code for \`awk\`, \`sed\`, \`python\` and the like;
- a name in a command with a here-document (\`<<\`), or where a command would begin (\`sh -c "$NAME"\`);
- a name that \`parallel\`, \`tmux send-keys\`, \`crontab\`, \`fish\` and the like would interpret;
- \`$PUNCTUAL_NAME\` outside single quotes in a command with another shell, because the first shell would insert the
  name.

Scripts and other shells on this machine can read a name from the variable \`PUNCTUAL_NAME\` (or \`PUNCTUAL_TAGS\`,
\`PUNCTUAL_TAG1\`): \`sh -c 'logger "$PUNCTUAL_NAME"'\`. Punctual recognises common shells and languages by name; a
program of your own that runs its arguments as code must protect itself. Write \`\\$\` for a shell variable whose name
begins like a placeholder.

The command has no input. Its environment contains only \`PATH\`, \`HOME\` and \`LANG\`, the names and tags in variables
that begin with \`PUNCTUAL_\`, and \`PUNCTUAL_RUN\`, the ID of the run. After 30 seconds, Punctual kills the command and
all processes that it started. On Linux, this includes processes that left its process group (\`setsid\`), unless their
environment was changed. Processes that are still running when the command exits are not killed. An exit code other than
0 is a failure: Punctual tries again, and shows the last line of output with the channel. After 1 MB, output is read
slowly. Everyone in the project can read the commands, so keep secrets in files.`,
  placeholders: { where: 'The commands', list: placeholderHelp(SHELL_PLACEHOLDERS) },
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
    '<path d="m5 7 5 5-5 5"/><path d="M12 18h7"/></svg>',
  operatorSettings: [
    {
      name: 'SHELL_ENABLED',
      type: 'flag',
      default: 'False',
      help: 'Whether project owners may run commands on this machine. Requires `REGISTRATION_OPEN=False`. Read the page about this integration first.',
    },
    {
      name: 'SHELL_COMMANDS',
      help: 'The allowed commands, one per line; empty: all. `SHELL_COMMANDS_FILE` can name a file with them.',
    },
  ],
  needs: ['SHELL_ENABLED'],
  configuredBy: 'own',
  setup: {
    way: 'prepare',
    async prepare(settings, operator) {
      for (const field of DIRECTIONS) {
        if (isAllowed(settings[field] ?? '', operator)) continue
        throw new Refusal('invalid', `The operator allows only: ${allowedBy(operator).join('; ')}`, field)
      }
      return settings
    },
  },
  fields: [
    commandField('cmd_down', 'Command when a check goes down'),
    commandField('cmd_up', 'Command when a check comes back up'),
  ],
  check(settings) {
    for (const field of DIRECTIONS) {
      const problem = unsafePlacement(settings[field] ?? '')
      if (problem) throw new Refusal('invalid', problem, field)
    }
    if (settings.cmd_down || settings.cmd_up) return settings
    throw new Refusal('invalid', 'Enter a command for at least one of the two directions.', 'cmd_down')
  },
  describe({ cmd_down, cmd_up }) {
    return [cmd_down && `${short(cmd_down)} (down)`, cmd_up && `${short(cmd_up)} (up)`]
      .filter(text => text)
      .join(', ')
  },
  wants: (settings, status) => Boolean(settings[`cmd_${status}`]),
  explains: () => false,
  async send(alert, to, transports) {
    if (to.operator.SHELL_ENABLED !== 'true') throw new DeliveryError('Shell commands are not enabled')
    const template = to.settings[`cmd_${alert.status}`] ?? ''
    const problem = isAllowed(template, to.operator)
      ? unsafePlacement(template)
      : 'The operator does not allow this command'
    if (problem) throw new DeliveryError(`Command was not run. ${problem}`, { permanent: true })
    const { command, variables } = shellCommand(template, alert)
    const { code, signal, output } = await transports.run(command, variables)
    if (code === 0) return
    const ended = code === null ? `Command was ended by ${signal}` : `Command returned exit code ${code}`
    const said = oneLine(output.trimEnd().split('\n').at(-1) ?? '')
    throw new DeliveryError(said === '' ? ended : `${ended}: ${clip(said, OUTPUT_CHARACTERS)}`)
  },
}

/** Whether the operator allows a command; an empty command is always allowed. */
function isAllowed(command: string, operator: Operator): boolean {
  const allowed = allowedBy(operator)
  return command === '' || allowed.length === 0 || allowed.includes(command)
}

/** The commands that the operator allows; empty if all are allowed. */
function allowedBy({ SHELL_COMMANDS = '' }: Operator): string[] {
  const lines = SHELL_COMMANDS.split('\n').map(line => line.trim())
  return lines.filter(line => line !== '' && !line.startsWith('#'))
}

function commandField(name: string, label: string) {
  return {
    name,
    label,
    type: 'multiline',
    maxLength: COMMAND_CHARACTERS,
    help: 'Leave empty to run nothing for this status.',
  } as const
}

function short(text: string): string {
  return clip(oneLine(text), 40)
}
