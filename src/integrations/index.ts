import type { Need } from '../core/people/role.js'
/** The registry of integrations. To add one, write its file and add a line here. */

import { withCommonFields } from './common-fields.js'
import type { Integration, OperatorSetting } from './integration.js'
import { apprise } from './kinds/apprise.js'
import { discord } from './kinds/discord/discord.js'
import { email } from './kinds/email.js'
import { github } from './kinds/github/github.js'
import { googlechat } from './kinds/googlechat.js'
import { gotify } from './kinds/gotify.js'
import { group } from './kinds/group.js'
import { matrix } from './kinds/matrix/matrix.js'
import { mattermost } from './kinds/mattermost.js'
import { msteamsw } from './kinds/msteamsw.js'
import { ntfy } from './kinds/ntfy.js'
import { opsgenie } from './kinds/opsgenie.js'
import { pagertree } from './kinds/pagertree.js'
import { pd } from './kinds/pd/pd.js'
import { call } from './kinds/phone/call.js'
import { sms } from './kinds/phone/sms.js'
import { whatsapp } from './kinds/phone/whatsapp.js'
import { po } from './kinds/po/po.js'
import { pushbullet } from './kinds/pushbullet/pushbullet.js'
import { rocketchat } from './kinds/rocketchat.js'
import { shell } from './kinds/shell/shell.js'
import { signal } from './kinds/signal/signal.js'
import { slack } from './kinds/slack/slack.js'
import { spike } from './kinds/spike.js'
import { telegram } from './kinds/telegram/telegram.js'
import { trello } from './kinds/trello/trello.js'
import { victorops } from './kinds/victorops.js'
import { webhook } from './kinds/webhook/webhook.js'
import { zulip } from './kinds/zulip/zulip.js'

/** In the order of their labels, one per line. */
// biome-ignore format: one kind per line
const kinds: readonly Integration[] = [
  apprise,
  discord,
  email,
  github,
  googlechat,
  gotify,
  group,
  matrix,
  mattermost,
  msteamsw,
  ntfy,
  opsgenie,
  pd,
  pagertree,
  call,
  pushbullet,
  po,
  rocketchat,
  shell,
  signal,
  slack,
  sms,
  spike,
  victorops,
  telegram,
  trello,
  webhook,
  whatsapp,
  zulip,
]

/** Every integration, with the common fields. */
export const integrations: readonly Integration[] = kinds.map(withCommonFields)

const byKind = new Map(integrations.map(integration => [integration.kind, integration]))

/** The integration of a kind, or undefined if there is none. */
export function integrationOf(kind: string): Integration | undefined {
  return byKind.get(kind)
}

/** All settings that integrations need from the operator, each once. */
export const operatorSettings: readonly OperatorSetting[] = [
  ...new Map(
    integrations.flatMap(({ operatorSettings = [] }) =>
      operatorSettings.map(setting => [setting.name, setting]),
    ),
  ).values(),
]

/** The right that creating and changing channels of a kind takes in a project; of a kind that is unknown, to write. */
export function needToChange(kind: string): Need {
  return integrationOf(kind)?.configuredBy ?? 'write'
}
