import type { Command } from 'commander'
import { Refusal } from '../../core/errors.js'
import { jsonOption, withExample } from '../options.js'
import { print, printJson } from '../print.js'
import { withStore } from '../with-store.js'
import { printLink } from './print-link.js'

export function addUserSignInLink(parent: Command): void {
  const command = parent
    .command('sign-in-link')
    .argument('<email>', 'the e-mail address of the user')
    .addOption(jsonOption())
    .description('Print a one-time sign-in link for a user who has forgotten the password')
  withExample(command.action(offerLink), 'punctual user sign-in-link alice@example.org')
}

async function offerLink(email: string, options: { json?: boolean }): Promise<void> {
  const [{ findUserByAddress }, { LINK_LASTS_MS, offerSignIn }] = await Promise.all([
    import('../../actions/people/find-user.js'),
    import('../../actions/people/sign-in/offer-sign-in.js'),
  ])
  const offered = await withStore(async ({ config, store, clock }) => {
    if (config.REMOTE_USER_HEADER !== '') {
      throw new Refusal(
        'unavailable',
        'with REMOTE_USER_HEADER only the proxy signs users in; links do not work',
      )
    }
    const user = await findUserByAddress(store, email)
    const facts = await store.people.signInFacts({ id: user.id })
    if (facts?.disabled) {
      throw new Refusal(
        'conflict',
        `${user.email} is disabled, so no link signs in: \`user enable\` lets them in again`,
      )
    }
    // Whoever opens it proves the address: of an account whose address nobody has proven, nothing made before that stays.
    const secondStep = facts?.emailProven === true && (facts.totpSecret !== null || facts.passkeys > 0)
    const { path } = await offerSignIn(store, clock, user.id, LINK_LASTS_MS.lostPassword)
    return { user, secondStep, link: config.SITE_ROOT + path }
  })
  const { user, secondStep, link } = offered
  if (options.json)
    return printJson({ uuid: user.uuid, email: user.email, sign_in: link, second_step: secondStep })
  printLink(`This link signs ${user.email} in, once, within an hour; set a new password there:`, link)
  if (secondStep) {
    print(
      '\nThe second step is asked for as always: `user remove-second-step` is for those who have lost it as well.',
    )
  }
}
