select
    id as ticket_id,
    lower(trim(requester_email)) as requester_email,
    subject,
    via_channel as channel,
    coalesce(priority, 'normal') as priority,
    status,
    order_number,
    satisfaction_score,
    created_at as opened_at,
    first_replied_at,
    solved_at
from {{ source('zendesk', 'tickets') }}
where status <> 'deleted'
