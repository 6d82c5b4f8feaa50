import { Button } from '../../components/forms/button.js'
import { Field } from '../../components/forms/field.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import type { PageContext } from '../../page-context.js'
import { newChannelTitle } from './new-channel-title.js'

interface Props {
  page: PageContext
  /** The name of the service. */
  label: string
  action: string
  /** The parameter in the fragment of the address, and its label. */
  field: { name: string; label: string }
}

/** For a service that responds in the fragment of the address, which browsers do not send: a script sends it on. */
export function FragmentPage({ page, label, action, field }: Props) {
  const title = newChannelTitle(label)
  return (
    <Layout page={page} title={title} section="integrations" measure="form" scripts={['fragment']}>
      <PageHead title={title} lead={`${label} is connected. Continue to choose where alerts go.`} />
      <PostForm page={page} action={action} class="form">
        <Field
          label={field.label}
          name={field.name}
          id="fragment"
          type="password"
          autocomplete="off"
          required
          help={
            <>
              If the field is empty, copy the text after <code>{`#${field.name}=`}</code> from the address
              bar.
            </>
          }
        />
        <div class="form-end">
          <Button look="primary">Continue</Button>
        </div>
      </PostForm>
    </Layout>
  )
}
