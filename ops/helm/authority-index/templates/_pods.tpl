{{/* What the pods of the services and of the sync have in common. */}}

{{- define "authority-index.image" -}}
image: {{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end -}}

{{/* As the image is: user 10001, a root file system that nobody writes, no capability. */}}
{{- define "authority-index.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "authority-index.containerSecurity" -}}
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Settings by their names, as variables: rateLimit is AUTHORITY_INDEX_RATE_LIMIT. */}}
{{- define "authority-index.settings" -}}
{{- range $name, $value := . }}
- name: AUTHORITY_INDEX_{{ $name | snakecase | upper }}
  value: {{ toString $value | quote }}
{{- end }}
{{- end -}}

{{/* How the object storage is reached. */}}
{{- define "authority-index.objectStorage" -}}
{{- $storage := .Values.objectStorage -}}
{{- with $storage.endpoint }}
- name: AWS_ENDPOINT_URL_S3
  value: {{ . | quote }}
{{- end }}
{{- with $storage.region }}
- name: AWS_REGION
  value: {{ . | quote }}
{{- end }}
{{- if or $storage.existingSecret $storage.accessKeyId }}
{{- $secret := default (printf "%s-object-storage" (include "authority-index.name" .)) $storage.existingSecret }}
{{- range list "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY" }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Called with a dict: a variable, the secret that is there or is made, and its key. */}}
{{- define "authority-index.secretVariable" -}}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
{{- end -}}

{{/* Where the records of the sync are. */}}
{{- define "authority-index.source" -}}
{{- $source := .Values.sync.source -}}
{{- if and $source.uri (not (hasPrefix "postgres" $source.uri)) }}
- name: AUTHORITY_INDEX_SOURCE
  value: {{ $source.uri | quote }}
{{- else }}
{{- $secret := default (printf "%s-source" (include "authority-index.name" .)) $source.existingSecret }}
{{- $key := ternary "source" $source.key (empty $source.existingSecret) }}
{{ include "authority-index.secretVariable" (dict "variable" "AUTHORITY_INDEX_SOURCE" "secret" $secret "key" $key) }}
{{- end }}
{{- end -}}
