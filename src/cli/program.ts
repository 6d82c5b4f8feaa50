import { Command } from 'commander'
import { packageVersion } from '../lib/package-root.js'
import { addChannelAdd } from './channels/channel-add.js'
import { addChannelKinds } from './channels/channel-kinds.js'
import { addChannelList } from './channels/channel-list.js'
import { addChannelTest } from './channels/channel-test.js'
import { addSignalCaptcha } from './channels/signal-captcha.js'
import { addTelegramWebhook } from './channels/telegram-webhook.js'
import { addChecksChanges } from './checks/checks-change.js'
import { addChecksCreate } from './checks/checks-create.js'
import { addChecksList } from './checks/checks-list.js'
import { addChecksLogs } from './checks/checks-logs.js'
import { addChecksShow } from './checks/checks-show.js'
import { addOpen } from './checks/open.js'
import { addPing } from './checks/ping.js'
import { addDiscover } from './discover/discover.js'
import { addDoctor } from './doctor/doctor.js'
import { addImportHealthchecks } from './import/import-healthchecks.js'
import { addImportSources } from './import/import-sources.js'
import { addAck } from './incidents/ack.js'
import { addExplain } from './incidents/explain.js'
import { addIncidents } from './incidents/incidents.js'
import { addBackup } from './instance/backup.js'
import { addCompletion } from './instance/completion.js'
import { addConfig } from './instance/config.js'
import { addCopy } from './instance/copy.js'
import { addMigrate } from './instance/migrate.js'
import { addPrune } from './instance/prune.js'
import { addServe } from './instance/serve.js'
import { addUserCreate } from './people/user-create.js'
import { addUserDelete } from './people/user-delete.js'
import { addUserDisable } from './people/user-disable.js'
import { addUserList } from './people/user-list.js'
import { addUserRemoveSecondStep } from './people/user-remove-second-step.js'
import { addUserSignInLink } from './people/user-sign-in-link.js'
import { addUserSignOut } from './people/user-sign-out.js'
import { addExec } from './pings/add-exec.js'
import { addKeyCreate } from './projects/key-create.js'
import { addKeyList } from './projects/key-list.js'
import { addKeyRevoke } from './projects/key-revoke.js'
import { addProjectCreate } from './projects/project-create.js'
import { addProjectList } from './projects/project-list.js'
import { addTokenCreate } from './projects/token-create.js'
import { addTokenList } from './projects/token-list.js'
import { addTokenRevoke } from './projects/token-revoke.js'
import { addLogin } from './server/login.js'
import { addMcp } from './server/mcp.js'
import { addSilence } from './silences/silence.js'

/** Builds the command line: one file per command. Commands load their modules when they run, which keeps `--help` fast. */
export function buildProgram(): Command {
  const program = new Command('punctual')
    .description('Monitors scheduled jobs, and sends alerts when a job does not run, fails or hangs.')
    .version(packageVersion)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'punctual: ')) })

  const group = (name: string, description: string) => program.command(name).description(description)

  addServe(program)
  addLogin(program)
  const checks = group('checks', 'List, show and change the checks of a server')
  addChecksList(checks)
  addChecksShow(checks)
  addChecksCreate(checks)
  addChecksChanges(checks)
  addChecksLogs(checks)
  addPing(program)
  addSilence(program)
  addOpen(program)
  addMcp(program)
  addDiscover(program)
  addExec(program)
  const user = group('user', 'Manage users')
  addUserCreate(user)
  addUserList(user)
  addUserSignInLink(user)
  addUserRemoveSecondStep(user)
  addUserSignOut(user)
  addUserDisable(user)
  addUserDelete(user)
  const project = group('project', 'Manage projects, whose checks share keys and channels')
  addProjectCreate(project)
  addProjectList(project)
  const key = group('key', 'Manage the API keys and the ping key of a project')
  addKeyCreate(key)
  addKeyList(key)
  addKeyRevoke(key)
  const token = group('token', 'Manage the API tokens of a project')
  addTokenCreate(token)
  addTokenList(token)
  addTokenRevoke(token)
  const channel = group('channel', 'Manage channels, the destinations of alerts')
  addChannelAdd(channel)
  addChannelKinds(channel)
  addChannelList(channel)
  addChannelTest(channel)
  addTelegramWebhook(group('telegram', 'Set up the Telegram bot'))
  addSignalCaptcha(group('signal', 'Manage the Signal account of signal-cli'))
  addIncidents(program)
  addAck(program)
  addExplain(program)
  addMigrate(program)
  addPrune(program)
  addBackup(program)
  addCopy(program)
  const imports = group('import', 'Import from another monitor, or the jobs of other schedulers')
  addImportHealthchecks(imports)
  addImportSources(imports)
  addConfig(program)
  addDoctor(program)
  addCompletion(program)
  return program
}
