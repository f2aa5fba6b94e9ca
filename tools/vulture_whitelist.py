"""Names that are reached in a way that can't be seen in Python, for vulture: grouped by who reaches them.

A dead name is deleted, not listed. `vulture --make-whitelist` prints the lines of what is new.
"""

# Django, its admin and unfold call or read these by name.
_.blocks_in_words  # method
_.format_value  # method
_.get_stimulus  # method
_.is_emphasised  # property
_.speaker  # variable
_.use_fieldset  # variable
_.value_from_datadict  # method
_.value_omitted_from_data  # method
_.AnnotationConfig  # class
_.CreateModels  # class
_.LateAdminConfig  # class
_.ReleasesConfig  # class
_.StudiesConfig  # class
_.UNFOLD  # variable
_._get_obj_does_not_exist_redirect  # method
_.actions  # variable
_.n_decided  # property
_.opening  # variable
_.PagesCompressed  # class
_.show_add_link  # variable
_.spent  # variable
_.add_fieldsets  # variable
_.abstract  # variable
_.awaits_feedback  # variable
_.complaint  # property
_.modified  # variable
_.plays  # variable
_.small_url  # variable
_.add_form  # variable
_.allow_multiple_selected  # variable
_.app_name  # variable
_.as_postgresql  # method
_.as_sqlite  # method
_.default_validators  # variable
_.forward_related_accessor_class  # variable
_.shown_order  # variable
_.shown_position  # variable
_.block_size  # variable
_.change_form_outer_before_template  # variable
_.change_form_template  # variable
_.change_password_form  # variable
_.clean_creators  # method
_.clean_has_read  # method
_.clean_keywords  # method
_.changed_objects  # attribute
_.clean_metrics  # method
_.clean_question_name  # method
_.clean_name  # method
_.clean_pseudonym  # method
_.clean_slug  # method
_.deleted_objects  # attribute
_.max_num  # variable
_.new_objects  # attribute
_.shown_if_answers  # variable, method
_.shown_if_question  # variable, method
_.clean_swatch  # method
_.clean_synthetic  # method
_.clean_toml  # method
_.clean_version  # method
_.compressed_fields  # variable
_.dashboard  # function
_.filter_horizontal  # variable
_.form_valid  # method
_.full_result_count  # attribute
_.get_changelist  # method
_.get_extra  # method
_.get_fieldsets  # method
_.get_form_error  # method
_.get_inlines  # method
_.get_unique_error_message  # method
_.has_change_permission  # variable
_.help_texts  # variable
_.hide_title  # variable
_.indexes  # variable
_.last_key  # variable
_.list_before_template  # variable
_.list_display  # variable
_.list_display_links  # variable
_.list_filter  # variable
_.list_per_page  # variable
_.list_select_related  # variable
_.lookups  # method
_.model_admin  # variable
_.output_field  # variable
_.parameter_name  # variable
_.prepare_value  # method
_.process_exception  # method
_.process_view  # method
_.readonly_fields  # variable
_.required  # attribute
_.requires_system_checks  # variable
_.response_post_save_change  # method
_.sample_seed  # variable
_.search_fields  # variable
_.search_help_text  # variable
_.short_description  # attribute
_.show_full_result_count  # variable
_.template_name  # variable
_.verbose_name  # variable
_.warn_unsaved_form  # variable
_.xframe_options_exempt  # attribute

_.handler400  # variable
_.handler404  # variable
_.handler500  # variable

# The settings name these: middleware, filters of the log, readers of the environment, what is switched on by them.
_.OIDC_APPS  # variable
_.BodyLimits  # class
_.ContentSecurityPolicy  # class
_.DatabaseUnavailable  # class
_.EnglishAdmin  # class
_.OIDC_APPS  # variable
_.OIDC_MIDDLEWARE  # variable
_.MaskSecrets  # class
_.PermissionsPolicy  # class
_.RefusalsInOneLine  # class
_.TRIGGERS_CHECKED_EVERY_SECONDS  # variable
_.TriggersInPlace  # class
_.UnfitValues  # class
_.VegaScript  # class
_.Workday  # class
_.allauth_providers  # function
_.providers  # function
_.web_address  # function

# Python, servers and libraries call or read these: granian, kombu, zipfile, io, html.parser, http.client, markdown-it.
_.__dir__  # function
_.__getattr__  # function
_._get  # method
_.application  # variable
_.create_module  # method
_.exec_module  # method
_.external_attr  # attribute
_.handle_data  # method
_.handle_endtag  # method
_.handle_starttag  # method
_.readinto  # method
_.seekable  # method
_.sock  # attribute
_.validateLink  # method
_.writable  # method

# REST framework, drf-spectacular and allauth call or read these by name; or they are fields of what the API shows.
_.Adapter  # class
_.STUDY_FILLED  # variable
_.ScopedSchema  # class
_.TokenInSchema  # class
_.accepted_media_type  # attribute
_.accepted_renderer  # attribute
_.authenticate  # method
_.authenticate_header  # method
_.authentication_classes  # variable
_.auto_schema  # variable
_.beyond_target  # variable
_.content_negotiation_class  # variable
_.delivered_at  # variable
_.duration  # attribute
_.extra_kwargs  # variable
_.format_kwarg  # attribute
_.format_suffix  # variable
_.get_address  # method
_.get_cache_key  # method
_.get_counts  # method
_.get_erratum  # method
_.get_verdict  # method
_.get_extensions  # method
_.get_is_excluded  # method
_.get_items  # method
_.get_kind  # method
_.get_median_seconds  # method
_.get_operation_id  # method
_.get_methods  # method
_.get_out_of_date  # method
_.methods_details  # variable
_.get_override_parameters  # method
_.get_people  # method
_.get_platform_id  # method
_.get_problem  # method
_.get_question  # method
_.get_secret  # method
_.get_security_definition  # method
_.get_tags  # method
_.get_token  # method
_.get_check_question  # method
_.get_media  # method
_.get_questions  # method
_.get_your_right  # method
_.http_method_names  # variable
_.is_administrator  # variable
_.is_open_for_signup  # method
_.last_reply  # variable
_.last_status  # variable
_.median_seconds  # variable
_.metadata_class  # variable
_.next_statuses  # variable
_.num_requests  # attribute
_.on_authentication_error  # method
_.parser_classes  # variable
_.participant  # variable
_.patch  # method
_.pay_status  # variable
_.permission_classes  # variable
_.pre_social_login  # method
_.answers_sha256  # variable
_.decided_at  # variable
_.rules_sha256  # variable
_.select_parser  # method
_.select_renderer  # method
_.submitted_at  # variable
_.target_class  # variable
_.throttle_classes  # variable
_.validate  # method
_.validate_shuts_out  # method
_.validate_value  # method
_.with_refusals  # function
_.your_right  # variable

# Fields of forms, which are read as texts.
_.has_answers  # property
_.has_read  # variable
_.terms_file  # variable

# Columns of the admin's lists, which are named as texts.
_.account_name  # method
_.done_share  # method
_.items_to_judge  # method
_.places_open  # method
_.preset_line  # method
_.short_error  # method
_.short_hash  # method
_.shown_action  # method
_.shown_detail  # method
_.shown_evidence  # method
_.shown_fields  # method
_.shown_network  # method
_.shown_number  # method
_.shown_outcome  # method
_.shown_status  # method
_.shown_title  # method
_.whole_detail  # method

# Columns of the database, written or compared by name, and values that one may hold.
_.KEYBOARD  # variable
_.MOUSE  # variable
_.NO_SCRIPT  # variable
_.PEN  # variable
_.SIDE_BY_SIDE  # variable
_.TOUCH  # variable
_.changed_at  # variable
_.changed_by  # variable
_.completed_at  # attribute
_.ended_at  # variable
_.erased_at  # variable
_.forgiven_at  # variable
_.high_label  # variable
_.in_import  # variable
_.last_step  # variable
_.lifted_by  # variable
_.lifted_by_run  # variable
_.low_label  # variable
_.not_before  # variable
_.published_at  # variable
_.retry_of  # variable
_.revoked_by  # variable
_.sent_at  # variable
_.shown_order  # variable
_.shown_position  # variable
_.slider_shows_number  # variable
_.translation_of  # variable
_.tried_at  # variable
_.used_at  # variable
_.word_layout  # variable

# Fields of records that go into report.json, gold.csv or a printed table whole.
_.beside_majority  # variable
_.busiest_worker  # variable
_.check_items  # variable
_.check_judgments  # variable
_.explained_in  # variable
_.honest_lost  # variable
_.instances  # variable
_.items_without_judgments  # variable
_.judgments_per_worker_max  # variable
_.judgments_per_worker_median  # variable
_.judgments_per_worker_min  # variable
_.median_ci_high  # variable
_.median_ci_low  # variable
_.not_compared  # variable
_.p50_ms  # variable
_.p_holm_with_the_best  # variable
_.practice_judgments  # variable
_.there_already  # variable
_.trimmed_mean  # variable
_.uniform_clicker_passes  # variable
_.uniform_clickers_kept  # variable
_.workers_unchecked  # variable

# Templates read these.
_.answered_share  # property
_.asks_about_doubles  # variable
_.blocking  # property
_.can_be_added  # property
_.can_be_curve  # variable
_.claimed_twice  # variable
_.confidences  # property
_.current_sentence  # property
_.doubles  # variable
_.drawn_at  # variable
_.even_steps  # variable
_.field_id  # variable
_.finished_when_waived  # variable
_.innocent  # variable
_.instructions_address  # property
_.is_adjudicated  # variable
_.is_beginning  # variable
_.is_by_hand  # variable
_.is_cut  # property
_.is_field  # variable
_.is_folded  # property
_.is_older  # property
_.is_one_moment  # property
_.is_unknown  # property
_.is_weakest  # variable
_.label_from_instance  # method
_.lacks_ids  # property
_.link_words  # variable
_.longest_line  # variable
_.looks_at_others  # variable
_.may_still_finish  # variable
_.most_lines  # variable
_.n_rows  # variable
_.next_address  # property
_.not_applicable  # variable
_.only_by_this  # variable
_.other_majority  # variable
_.other_question  # variable
_.own_scripts  # property
_.own_styles  # property
_.previous  # property
_.remembered_as  # property
_.report_job  # variable
_.scale_in_words  # method
_.share_of  # variable
_.taken_share  # property
_.to_decide_excluded  # variable
_.undefined_agreement  # property
_.undefined_ceilings  # property
_.use  # variable
_.use_required_attribute  # variable
_.what_now  # variable
_.without_influential  # variable

# The walk over the folders of kinds and platforms finds these by name, or a plug-in names them.
_.DATA  # variable
_.drawn_scenes  # function

# Withdrawal calls these, which `annotation/releases/release_quotes.py` registers.
_.erase_evidence  # function
_.erase_property_codes  # function
_.erase_quotes  # function
_.erase_reports  # function
_.erase_summary  # function
_.erase_tried_rules  # function

# Notebooks and researchers' scripts call or read these, of the package's client.
_._repr_html_  # method
_.is_passed  # property
_.caution  # variable
_.checks_note  # variable
_.preview_cleaning  # method
_.can_open  # variable
_.is_repeat  # variable
_.judgments_done  # variable
_.judgments_in_progress  # variable
_.judgments_wanted  # variable

# Columns of signs and of authenticity results, which their tables are read and written by as texts.
_.copied_and_left  # variable
_.hidden_ms  # variable
_.imported_at  # variable
_.long_pastes  # variable
_.MIXED  # variable
_.pasted_characters  # variable
_.unmoved_clicks  # variable
_.untrusted_events  # variable
_.webdriver  # variable

# Presets name it by what studies/plugin.py says.
_.drawn_scenes  # function

# The protocol that typed_json.py asks a class for.
_._WithComputedKeys  # class

# Django calls and reads these of a connection.
_.close_if_health_check_failed  # method
_.health_check_done  # attribute

# Django reads a database's settings by these keys.
_.CONN_HEALTH_CHECKS  # variable
_.CONN_MAX_AGE  # variable
_.ENGINE  # variable
_.PASSWORD  # variable
_.PORT  # variable
_.USER  # variable

# Keys of typed dictionaries, which templates, JSON and their readers name as texts.
_.anchor  # variable
_.forgiven  # variable
_.schemas  # variable
_.second_factor_reset  # variable
