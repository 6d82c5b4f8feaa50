import { CopyBlock } from '../../components/copy.js'
import { Button, ButtonLink } from '../../components/forms/button.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

/** How many codes are left, with a button for new ones. */
export function RecoveryCodesPage({ page, left }: { page: PageContext; left: number }) {
  const have = left === 0 ? 'You have none.' : `You have ${left} that you have not used.`
  return (
    <Layout page={page} title="Recovery codes" section="account" parent="account" measure="form">
      <PageHead
        title="Recovery codes"
        lead={`Each code works once, in place of your app or passkey. ${have}`}
      />
      <PostForm page={page} action="/accounts/recovery-codes/" class="form">
        {left > 0 ? <p>New codes replace the old ones, which stop working.</p> : null}
        <FormEnd page={page} cancel="/accounts/profile/">
          <Button look="primary">{left > 0 ? 'Generate new codes' : 'Generate codes'}</Button>
        </FormEnd>
      </PostForm>
    </Layout>
  )
}

interface NewProps {
  page: PageContext
  codes: readonly string[]
  /** The result of the last action. */
  news: string
}

/** New codes, which are shown once. */
export function NewRecoveryCodesPage({ page, codes, news }: NewProps) {
  return (
    <Layout page={page} title="Your recovery codes" section="account" parent="account" measure="form">
      <PageHead
        title="Keep these recovery codes"
        lead={`${news} Each code works once, in place of your app or passkey. They are not shown again: print them, or save them in your password manager.`}
      />
      <div class="stack">
        <CopyBlock text={codes.join('\n')} />
        <p>
          <ButtonLink look="primary" href={link(page, '/accounts/profile/')}>
            I have saved them
          </ButtonLink>
        </p>
      </div>
    </Layout>
  )
}
