import { plural } from '../../../core/text/plural.js'
import { EditFields, type FieldsProps } from '../../components/checks/bulk-edit/edit-fields.js'
import {
  EditPreview,
  editSummary,
  type PreviewProps,
} from '../../components/checks/bulk-edit/edit-preview.js'
import { PostForm } from '../../components/forms/post-form.js'
import { Layout } from '../../layout.js'

interface Props extends FieldsProps, PreviewProps {
  /** The path to which the form is sent. */
  action: string
}

/** Changes many checks at once. On the list a script shows the form beside it. */
export function BulkEditPage(props: Props) {
  const { page, rows, isChosen, form, errors, action } = props
  const title = `Edit ${plural(rows.length, 'check')}`
  return (
    <Layout title={title} page={page} section="checks" parent="checks" scripts={['bulk-edit', 'words']}>
      <PostForm page={page} action={action} class="bulk-edit" id="bulk-edit">
        {/* Enter in a field presses the first button of its form, which must not apply anything. */}
        <button type="submit" name="preview" value="1" hidden />
        <header class="page-head">
          <div>
            <h1 id="edit-title">{title}</h1>
            <p class="lead" id="edit-summary" role="status">
              {editSummary(rows, isChosen, form, errors, page.now)}
            </p>
          </div>
        </header>
        <div class="edit-body">
          <div class="form">
            <EditFields {...props} />
          </div>
          <EditPreview {...props} />
        </div>
      </PostForm>
    </Layout>
  )
}
