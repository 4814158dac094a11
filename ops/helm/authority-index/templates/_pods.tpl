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
