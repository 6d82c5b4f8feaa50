import type { Command } from 'commander'
import { Refusal } from '../../core/errors.js'
import { jsonOption, withExample } from '../options.js'
import { print, printJson } from '../print.js'
import { withStore } from '../with-store.js'
import { printLink } from './print-link.js'

export function addUserCreate(parent: Command): void {
  const command = parent
    .command('create')
    .argument('<email>', 'the e-mail address of the user')
    .option(
      '--password-stdin',
      'read the password from standard input; by default, print a sign-in link instead',
    )
    .addOption(jsonOption())
    .description('Create a user')
    .action(createUser)
  withExample(command, 'punctual user create alice@example.org --password-stdin < password.txt')
}

async function createUser(
  email: string,
  options: { passwordStdin?: boolean; json?: boolean },
): Promise<void> {
  const password = options.passwordStdin ? await readFirstLine() : null
  const [{ createUser }, { LINK_LASTS_MS, offerSignIn }] = await Promise.all([
    import('../../actions/people/create-user.js'),
    import('../../actions/people/sign-in/offer-sign-in.js'),
  ])
  const made = await withStore(async ({ config, store, clock }) => {
    const user = await createUser(store, clock, { email, password }).catch(suggestSignInLink)
    const link = password === null ? await offerSignIn(store, clock, user.id, LINK_LASTS_MS.newAccount) : null
    return { user, link: link && config.SITE_ROOT + link.path }
  })
  const { user, link } = made
  if (options.json)
    return printJson({ uuid: user.uuid, email: user.email, ...(link ? { sign_in: link } : {}) })
  print(`Made the user ${user.email}.`)
  if (link) printLink('\nThis link signs in, once, within a day; set a password there:', link)
}

/** Suggests a sign-in link if the user exists, because operators usually repeat this for a forgotten password. */
function suggestSignInLink(error: unknown): never {
  if (!(error instanceof Refusal) || error.code !== 'conflict') throw error
  throw new Refusal(error.code, `${error.message}: \`user sign-in-link\` prints a link to sign in with`)
}

async function readFirstLine(): Promise<string> {
  let input = ''
  for await (const piece of process.stdin.setEncoding('utf8')) input += piece
  return input.split(/\r?\n/, 1)[0]!
}
