import { CopyLine } from '../../components/copy.js'
import { Disclosure } from '../../components/disclosure.js'
import { Button } from '../../components/forms/button.js'
import { CodeField } from '../../components/forms/code-field.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { FormProblem, type Problem } from '../../components/forms/form-problem.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

/** A QR code: its width in modules, and which of them are dark. */
export interface QrCode {
  size: number
  dark(x: number, y: number): boolean
}

interface Props {
  page: PageContext
  /** Base32. */
  secret: string
  qr: QrCode
  /** Whether browsers offer passkeys at this address. */
  passkeysPossible: boolean
  problem: Problem | null
}

/** Sets up an authenticator app. */
export function TotpPage({ page, secret, qr, passkeysPossible, problem }: Props) {
  return (
    <Layout page={page} title="Set up an authenticator app" section="account" parent="account" measure="form">
      <PageHead
        title="Set up an authenticator app"
        lead="Scan the code with the app, then enter the six digits it shows. You will then need a code at each sign-in."
      />
      <PostForm page={page} action="/accounts/totp/" class="form">
        <FormProblem problem={problem} />
        <Qr code={qr} />
        <Disclosure summary="Can’t scan the code?">
          <p class="help">Enter this secret in the app instead:</p>
          <CopyLine text={secret.replace(/(.{4})(?=.)/g, '$1 ')} />
        </Disclosure>
        <input type="hidden" name="secret" value={secret} />
        <CodeField problem={problem} label="Code" />
        <FormEnd page={page} cancel="/accounts/profile/">
          <Button look="primary">Turn on</Button>
        </FormEnd>
      </PostForm>
      {passkeysPossible ? (
        <p class="after-form">
          <a href={link(page, '/accounts/passkeys/add/')}>Add a passkey instead</a>
        </p>
      ) : null}
    </Layout>
  )
}

/** Dark on light in every theme, because scanners require it. */
function Qr({ code }: { code: QrCode }) {
  const rows = Array.from({ length: code.size }, (_, y) => y)
  const path = rows.flatMap(y => rows.filter(x => code.dark(x, y)).map(x => `M${x} ${y}h1v1h-1z`)).join('')
  return (
    <svg
      class="qr"
      viewBox={`-2 -2 ${code.size + 4} ${code.size + 4}`}
      role="img"
      aria-label="QR code of the secret"
    >
      <rect x="-2" y="-2" width={code.size + 4} height={code.size + 4} fill="#ffffff" />
      <path d={path} fill="#000000" shape-rendering="crispEdges" />
    </svg>
  )
}
