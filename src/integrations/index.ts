/** Every kind of channel that there is. A new one is its own file and a line here. */
import { apprise } from './apprise.js'
import { call } from './call.js'
import { withCommonFields } from './common-fields.js'
import { discord } from './discord.js'
import { email } from './email.js'
import { github } from './github.js'
import { googlechat } from './googlechat.js'
import { gotify } from './gotify.js'
import { group } from './group.js'
import type { Integration, OperatorSetting } from './integration.js'
import { matrix } from './matrix.js'
import { mattermost } from './mattermost.js'
import { msteamsw } from './msteamsw.js'
import { ntfy } from './ntfy.js'
import { opsgenie } from './opsgenie.js'
import { pagertree } from './pagertree.js'
import { pd } from './pd.js'
import { po } from './po.js'
import { pushbullet } from './pushbullet.js'
import { rocketchat } from './rocketchat.js'
import { shell } from './shell.js'
import { signal } from './signal.js'
import { slack } from './slack.js'
import { sms } from './sms.js'
import { spike } from './spike.js'
import { telegram } from './telegram.js'
import { trello } from './trello.js'
import { victorops } from './victorops.js'
import { webhook } from './webhook.js'
import { whatsapp } from './whatsapp.js'
import { zulip } from './zulip.js'

/** In the order of their labels, one a line. */
// biome-ignore format: one kind a line
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

/** Every kind, with the fields that it has in common with others. */
export const integrations: readonly Integration[] = kinds.map(withCommonFields)

const byKind = new Map(integrations.map(integration => [integration.kind, integration]))

/** The integration of a kind, or undefined where there is none of that name. */
export function integrationOf(kind: string): Integration | undefined {
  return byKind.get(kind)
}

/** What the kinds need from the operator, each setting once. */
export const operatorSettings: readonly OperatorSetting[] = [
  ...new Map(
    integrations.flatMap(({ operatorSettings = [] }) =>
      operatorSettings.map(setting => [setting.name, setting]),
    ),
  ).values(),
]
