/** Swagger UI, as far as docs.ts uses it. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerOptions {
    readonly url: string
    readonly domNode: HTMLElement | null
    readonly deepLinking: boolean
    readonly syntaxHighlight: { readonly activated: boolean }
    readonly tryItOutEnabled: boolean
    readonly onComplete: () => void
  }
  interface Reference {
    preauthorizeApiKey(scheme: string, key: string): void
  }
  export default function SwaggerUI(options: SwaggerOptions): Reference
}
