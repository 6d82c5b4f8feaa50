import type { Command } from 'commander'
import { Refusal } from '../../core/errors.js'
import { withExample } from '../options.js'
import { print } from '../print.js'

export function addTelegramWebhook(parent: Command): void {
  const command = parent
    .command('webhook')
    .option('--remove', 'remove the webhook; Punctual then polls Telegram', false)
    .description('Register a webhook for messages to the Telegram bot; needs TELEGRAM_WEBHOOK_SECRET')
    .action(setWebhook)
  withExample(command, 'punctual telegram webhook')
}

async function setWebhook({ remove }: { remove: boolean }): Promise<void> {
  const [{ readConfig }, { createProcessTransports }, { createTransports }, { integrationOf }] =
    await Promise.all([
      import('../read-config.js'),
      import('../../compose/delivery.js'),
      import('../../integrations/create-transports.js'),
      import('../../integrations/index.js'),
    ])
  const config = await readConfig()
  const { operator, SITE_ROOT } = config
  const setup = integrationOf('telegram')?.setup
  if (setup?.way !== 'invite') throw new Refusal('invalid', 'this version knows no Telegram bot')
  for (const name of ['TELEGRAM_TOKEN', ...(remove ? [] : ['TELEGRAM_WEBHOOK_SECRET'])]) {
    if (!operator[name]) throw new Refusal('invalid', `${name} must be set`)
  }
  const url = `${SITE_ROOT}/integrations/hook/telegram/`
  const request = setup.setWebhookRequest(remove ? null : url, operator)
  const refusal = setup.refusal(await createTransports(createProcessTransports(config)).http(request))
  if (refusal !== null) throw new Refusal('unavailable', refusal)
  print(remove ? 'The webhook was removed.' : `Telegram now calls ${url}.`)
}
