import { Command } from 'commander'
import { packageVersion } from '../lib/package-root.js'
import { addBackup } from './backup.js'
import { addChannelAdd } from './channel-add.js'
import { addChannelList } from './channel-list.js'
import { addChannelTest } from './channel-test.js'
import { addConfig } from './config.js'
import { addCopy } from './copy.js'
import { addKeyCreate } from './key-create.js'
import { addKeyList } from './key-list.js'
import { addKeyRevoke } from './key-revoke.js'
import { addMigrate } from './migrate.js'
import { addProjectCreate } from './project-create.js'
import { addProjectList } from './project-list.js'
import { addPrune } from './prune.js'
import { addServe } from './serve.js'
import { addSignalCaptcha } from './signal-captcha.js'
import { addTelegramWebhook } from './telegram-webhook.js'
import { addUserCreate } from './user-create.js'
import { addUserDelete } from './user-delete.js'
import { addUserDisable } from './user-disable.js'
import { addUserList } from './user-list.js'
import { addUserRemoveSecondStep } from './user-remove-second-step.js'
import { addUserSignInLink } from './user-sign-in-link.js'
import { addUserSignOut } from './user-sign-out.js'

/** The whole command line: one file a command. What a command needs is loaded when it runs, so help is quick. */
export function buildProgram(): Command {
  const program = new Command('punctual')
    .description(
      'Watches scheduled jobs: notices the one that did not run, failed or hangs, and tells people.',
    )
    .version(packageVersion)
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'punctual: ')) })

  const group = (name: string, description: string) => program.command(name).description(description)

  addServe(program)
  const user = group('user', 'People who sign in')
  addUserCreate(user)
  addUserList(user)
  addUserSignInLink(user)
  addUserRemoveSecondStep(user)
  addUserSignOut(user)
  addUserDisable(user)
  addUserDelete(user)
  const project = group('project', 'Projects: checks that share keys and channels')
  addProjectCreate(project)
  addProjectList(project)
  const key = group('key', 'The API keys and the ping key of a project')
  addKeyCreate(key)
  addKeyList(key)
  addKeyRevoke(key)
  const channel = group('channel', 'Channels: where alerts go')
  addChannelAdd(channel)
  addChannelList(channel)
  addChannelTest(channel)
  addTelegramWebhook(group('telegram', 'The bot that people write to'))
  addSignalCaptcha(group('signal', 'The account that signal-cli sends from'))
  addMigrate(program)
  addPrune(program)
  addBackup(program)
  addCopy(program)
  addConfig(program)
  return program
}
