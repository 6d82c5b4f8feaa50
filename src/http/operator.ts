import type { Installation } from '../actions/channels/add-by-program.js'
import type { Operator } from '../integrations/setup.js'
import type { AppDeps } from './deps.js'

/** The operator's settings that kinds may need, including those of the whole installation. */
export function operatorOf({ delivery, mailer }: AppDeps): Operator {
  return { ...delivery.operator, EMAIL_HOST: mailer ? 'set' : '' }
}

/** The installation, for rules about kinds of channels. */
export function installationOf(deps: AppDeps): Installation {
  return { operator: operatorOf(deps), siteRoot: deps.config.SITE_ROOT }
}
