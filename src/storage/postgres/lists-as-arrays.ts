import {
  type BinaryOperationNode,
  FunctionNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  OperatorNode,
  PrimitiveValueListNode,
  ValueListNode,
  ValueNode,
} from 'kysely'

/**
 * Sends `x IN (…)` as `x = ANY(array)`: the text is the same for lists of any length, so that its plan can be kept,
 * and an empty list is valid.
 */
export const listsAsArrays: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
  transformResult: async ({ result }) => result,
}

class ListsAsArrays extends OperationNodeTransformer {
  protected override transformBinaryOperation(
    ...[node, queryId]: Parameters<OperationNodeTransformer['transformBinaryOperation']>
  ): BinaryOperationNode {
    const plain = super.transformBinaryOperation(node, queryId)
    const values = valuesOf(plain)
    if (!values || !OperatorNode.is(plain.operator)) return plain
    const [operator, quantifier] = ARRAY_OPERATORS[plain.operator.operator] ?? []
    if (!operator || !quantifier) return plain
    return {
      ...plain,
      operator: OperatorNode.create(operator),
      rightOperand: FunctionNode.create(quantifier, [ValueNode.create(values)]),
    }
  }
}

const ARRAY_OPERATORS: Readonly<Record<string, readonly ['=' | '!=', 'any' | 'all']>> = {
  in: ['=', 'any'],
  'not in': ['!=', 'all'],
}

/** The values of the list on the right, or null if there is something else, such as a query. */
function valuesOf({ rightOperand }: BinaryOperationNode): readonly unknown[] | null {
  if (PrimitiveValueListNode.is(rightOperand)) return rightOperand.values
  if (!ValueListNode.is(rightOperand)) return null
  const { values } = rightOperand
  return values.every(ValueNode.is) ? values.map(({ value }) => value) : null
}

const transformer = new ListsAsArrays()
