import { Disclosure } from '../../../components/disclosure.js'
import { AddressField } from '../../../components/forms/address-field.js'
import { AskForLink } from '../../../components/forms/ask-for-link.js'
import { Button, ButtonLink } from '../../../components/forms/button.js'
import { Field } from '../../../components/forms/field.js'
import { errorOf, FormProblem, type Problem } from '../../../components/forms/form-problem.js'
import { PostForm } from '../../../components/forms/post-form.js'
import { PageHead } from '../../../components/page-head.js'
import { Layout } from '../../../layout.js'
import { link, type PageContext } from '../../../page-context.js'

interface Props {
  page: PageContext
  email: string
  /** The page to open afterwards. */
  next: string | null
  problem: Problem | null
  hasUsers: boolean
  /** Whether users can sign in only through a proxy. */
  proxied: boolean
  mayRegister: boolean
  /** Whether users can sign in with a link by e-mail instead of the password. */
  sendsLinks: boolean
  /** The name of the OpenID Connect provider; null if there is none. */
  openIdName: string | null
}

/** Signing in: with a password, a link by e-mail, or through another service. */
export function SignInPage({ page, email, next, problem, ...offers }: Props) {
  if (offers.proxied) return <NobodyNamed page={page} />
  if (!offers.hasUsers) return <NobodyYet page={page} />
  return (
    <Layout page={page} title="Sign in" measure="form">
      <PageHead title="Sign in" />
      {offers.openIdName ? (
        <p>
          <ButtonLink href={link(page, `/accounts/openid/${nextQuery(next)}`)}>
            Sign in with {offers.openIdName}
          </ButtonLink>
        </p>
      ) : null}
      <PostForm page={page} action="/accounts/login/" class="form">
        <FormProblem problem={problem} />
        <input type="hidden" name="next" value={next ?? ''} />
        <AddressField email={email} problem={problem} autofocus />
        <Field
          label="Password"
          name="password"
          type="password"
          autocomplete="current-password"
          error={errorOf(problem, 'password')}
          help={offers.sendsLinks ? 'No password? Get a sign-in link by e-mail.' : undefined}
        />
        <div class="form-end">
          <Button look="primary">Sign in</Button>
          {offers.sendsLinks ? (
            <Button look="quiet" formaction={link(page, '/accounts/login/link/')}>
              E-mail me a link
            </Button>
          ) : null}
        </div>
      </PostForm>
      {offers.sendsLinks ? null : (
        <div class="after-form">
          <Disclosure summary="Forgot your password?">
            <AskForLink page={page} />
          </Disclosure>
        </div>
      )}
      {offers.mayRegister ? (
        <p class="muted after-form">
          No account yet? <a href={link(page, '/accounts/signup/')}>Sign up</a>
        </p>
      ) : null}
    </Layout>
  )
}

function NobodyNamed({ page }: { page: PageContext }) {
  return (
    <Layout page={page} title="Sign in" measure="form">
      <PageHead
        title="You are not signed in"
        lead="The proxy in front of this site signs users in, but it sent no user name with this request."
      />
    </Layout>
  )
}

function NobodyYet({ page }: { page: PageContext }) {
  return (
    <Layout page={page} title="No account yet" measure="form">
      <PageHead
        title="There is no account yet"
        lead={`${page.siteName} prints a link to create the first account when it starts. Find it in the terminal or the log, or restart to get a new one.`}
      />
    </Layout>
  )
}

function nextQuery(next: string | null): string {
  return next === null ? '' : `?next=${encodeURIComponent(next)}`
}
