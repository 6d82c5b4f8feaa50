import { Button } from '../../../components/forms/button.js'
import { PostForm } from '../../../components/forms/post-form.js'
import { PageHead } from '../../../components/page-head.js'
import { Layout } from '../../../layout.js'
import type { PageContext } from '../../../page-context.js'

/** The page behind a sign-in link: one button, so that a program that only scans the link does not use it up. */
export function SignInLinkPage({ page, action }: { page: PageContext; action: string }) {
  return (
    <Layout page={page} title="Sign in" measure="form">
      <PageHead title="Sign in" lead="This link is valid and works once." />
      <PostForm page={page} action={action}>
        <Button look="primary">Sign in</Button>
      </PostForm>
    </Layout>
  )
}
